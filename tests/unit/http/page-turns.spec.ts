import '../../support/unit/environment'
import { AsyncLocalStorage } from 'node:async_hooks'
import { createServer } from 'node:http'
import { expect, test } from 'playwright/test'
import type { Listener } from '@/lib/http/node/listener'
import { renderInTurn } from '@/lib/http/node/pages/page-turns'
import { listenLocally } from '../../support/network/listen-locally'
import { exchange, rawRequest, statusOf } from '../../support/network/raw-http'

test('a page that had to wait is rendered outside the request whose end made way, which it would keep in memory', async () => {
  const requests = 6
  const storage = new AsyncLocalStorage<string>()
  const inherited: (string | undefined)[] = []
  let arrived = 0
  let resolve = () => {}
  const allArrived = new Promise<void>((done) => {
    resolve = done
  })
  const render: Listener = async (_request, response) => {
    inherited.push(storage.getStore())
    await allArrived
    storage.run('of this render', () => response.end())
  }
  const { port, close } = await listenLocally(
    createServer((request, response) => {
      renderInTurn(request, response, render)
      if (++arrived === requests) resolve()
    }),
  )
  const received = await Promise.all(Array.from({ length: requests }, () => exchange(port, rawRequest('GET', '/'))))
  await close()
  expect(received.map(statusOf)).toEqual(Array(requests).fill(200))
  expect(inherited).toEqual(Array(requests).fill(undefined))
})
