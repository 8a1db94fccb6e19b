import '../../support/unit/environment'
import { createServer } from 'node:http'
import { expect } from 'playwright/test'
import { type Listener, serveRequest } from '@/lib/http/server/listeners'
import { listenLocally } from '../../support/network/listen-locally'
import { exchange, rawRequest, statusOf } from '../../support/network/raw-http'
import { test } from '../../support/unit/logged'

/** What a client that keeps its connections receives until the server ends one. */
async function responseOf(listener: Listener) {
  const { port, close } = await listenLocally(createServer((...both) => void serveRequest(listener, ...both)))
  const received = await exchange(port, rawRequest('GET', '/api/health', { Connection: 'close' }))
  await close()
  return received
}

test('a request whose listener fails is answered 500, which says nothing of the reason', async ({ logged }) => {
  const failures: Listener[] = [
    () => Promise.reject(new Error('the reason')),
    () => {
      throw new Error('the reason')
    },
  ]
  for (const listener of failures) {
    const received = await responseOf(listener)
    expect(statusOf(received)).toBe(500)
    expect(received).toContain('internal_error')
    expect(received).not.toContain('the reason')
  }
  expect(logged).toHaveLength(2)
})

test('something thrown that is no error is not logged, since it could be a token', async ({ logged }) => {
  expect(statusOf(await responseOf(() => Promise.reject('a token')))).toBe(500)
  expect(logged).toMatchObject([{ err: { message: 'string thrown' } }])
})

test('a listener that fails amid its response ends the connection', async ({ logged }) => {
  const received = await responseOf(async (_request, response) => {
    response.writeHead(200, { 'Content-Length': '10' }).write('half')
    await new Promise((resolve) => setImmediate(resolve))
    throw new Error('the reason')
  })
  expect(received).toMatch(/half$/)
  expect(logged).toHaveLength(1)
})
