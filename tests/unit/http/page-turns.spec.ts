import '../../support/unit/environment'
import { AsyncLocalStorage } from 'node:async_hooks'
import { execFileSync } from 'node:child_process'
import { createServer } from 'node:http'
import { expect, test } from 'playwright/test'
import { disconnectPipelining } from '@/lib/http/server/connections'
import type { Listener } from '@/lib/http/server/listeners'
import { renderInTurn } from '@/lib/http/server/pages'
import { listenLocally } from '../../support/network/listen-locally'
import { exchange, rawRequest, statusOf } from '../../support/network/raw-http'
import { withResolvers } from '../../support/with-resolvers'

test('a page that had to wait is rendered in the async context of its own request', async () => {
  const paths = Array.from({ length: 6 }, (_, index) => `/${index}`)
  const storage = new AsyncLocalStorage<string | undefined>()
  const rendered: unknown[] = []
  let arrived = 0
  const { promise: allArrived, resolve } = withResolvers()
  const render: Listener = async ({ url }, response) => {
    rendered.push({ url, context: storage.getStore() })
    await allArrived
    response.end()
  }
  const { port, close } = await listenLocally(
    createServer((request, response) => {
      storage.run(request.url, () => renderInTurn(request, response, render))
      if (++arrived === paths.length) resolve()
    }),
  )
  const received = await Promise.all(paths.map((path) => exchange(port, rawRequest('GET', path))))
  await close()
  expect(received.map(statusOf)).toEqual(paths.map(() => 200))
  expect(rendered).toHaveLength(paths.length)
  expect(rendered).toEqual(expect.arrayContaining(paths.map((url) => ({ url, context: url }))))
})

/** Sends requests over connections of their own, and ends them, before this process goes on and sees the first. */
function sendAndLeave(port: number, count: number, bytes: string, end: (typeof endings)[number]) {
  const program = `
    const { connect } = require('node:net')
    for (let sent = 0; sent < ${count}; sent++) {
      const socket = connect(${port}, '127.0.0.1', () => socket.write(${JSON.stringify(bytes)}, () => socket.${end}()))
    }`
  execFileSync(process.execPath, ['-e', program])
}

const endings = ['destroy', 'resetAndDestroy'] as const
for (const end of endings) {
  test(`a page whose client has gone before the server looks is not rendered, by ${end}()`, async () => {
    const rendered: unknown[] = []
    let arrived = 0
    const { port, close } = await listenLocally(
      createServer((request, response) => {
        arrived += 1
        renderInTurn(request, response, ({ url }) => {
          rendered.push(url)
          response.end()
        })
      }),
    )
    sendAndLeave(port, 20, rawRequest('GET', '/abandoned'), end)
    expect(statusOf(await exchange(port, rawRequest('GET', '/awaited')))).toBe(200)
    await close()
    expect(arrived).toBe(21)
    expect(rendered).toEqual(['/awaited'])
  })
}

test('pages that wait behind a response which is held back take no place from others', async () => {
  const rendered: unknown[] = []
  const held = withResolvers()
  const { port, close } = await listenLocally(
    createServer((request, response) => {
      disconnectPipelining(request, response)
      // As what a front end forwards to a backend that does not answer.
      if (request.url === '/held') void held.promise.then(() => response.end())
      else
        renderInTurn(request, response, ({ url }) => {
          rendered.push(url)
          response.end()
        })
    }),
  )
  const waiting = Array.from({ length: 5 }, () =>
    exchange(port, rawRequest('GET', '/held', { Connection: 'keep-alive' }) + rawRequest('GET', '/waiting')),
  )
  expect(statusOf(await exchange(port, rawRequest('GET', '/other')))).toBe(200)
  expect(rendered).toEqual(['/other'])
  held.resolve()
  await Promise.all(waiting)
  await close()
  expect(rendered).toEqual(['/other', ...Array(5).fill('/waiting')])
})
