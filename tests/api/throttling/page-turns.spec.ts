import { connect, createServer } from 'node:net'
import { expect, test } from '../../support/fixtures'
import { listenLocally } from '../../support/network/listen-locally'
import { exchange, rawRequest, sendAndReset, statusOf } from '../../support/network/raw-http'

const requests = 240

test('a page is rendered before most of the 240 that another address has asked for', {
  tag: '@pages',
}, async ({ start }) => {
  const server = await start({ mode: 'node', env: { TRUSTED_PROXIES: '1' } })
  const load = (address: string) => exchange(server.port, rawRequest('GET', '/signin', { 'X-Forwarded-For': address }))
  await load('203.0.113.9')
  let answered = 0
  const many = Array.from({ length: requests }, async () => {
    const response = await load('198.51.100.7')
    answered += 1
    return statusOf(response)
  })
  // Connections are accepted in the order in which they were made.
  expect(statusOf(await load('203.0.113.9'))).toBe(200)
  expect(answered).toBeLessThan(requests / 2)
  expect(await Promise.all(many)).toEqual(Array(requests).fill(200))
})

test('clients that leave while their pages wait for a turn leave no place taken', { tag: '@pages' }, async ({
  start,
}) => {
  const server = await start({ mode: 'node' })
  await Promise.all(Array.from({ length: requests }, () => sendAndReset(server.port, rawRequest('GET', '/signin'))))
  expect(statusOf(await exchange(server.port, rawRequest('GET', '/signin')))).toBe(200)
})

test('pages that wait behind a response which is held back take no place from others', { tag: '@pages' }, async ({
  start,
}) => {
  // A backend that never answers holds the response of what a front end forwards.
  const backend = createServer()
  const { url } = await listenLocally(backend)
  const env = { TRUSTED_PROXIES: '1', BACKEND_URL: url }
  const server = await start({ mode: 'node', env })
  const page = (address: string, headers = {}) =>
    rawRequest('GET', '/signin', { 'X-Forwarded-For': address, ...headers })
  /** How long three pages take, one after the other, in milliseconds. */
  const threePages = async () => {
    const begun = performance.now()
    for (let time = 0; time < 3; time += 1) expect(statusOf(await exchange(server.port, page('203.0.113.9')))).toBe(200)
    return performance.now() - begun
  }
  await threePages()
  const usual = await threePages()
  let sent = 0
  const sockets = Array.from({ length: 30 }, (_, host) => {
    const socket = connect(server.port, '127.0.0.1')
    socket.on('error', () => {}).on('data', () => (sent += 1))
    const lasting = { Connection: 'keep-alive' }
    socket.write(rawRequest('POST', '/api/i', lasting) + page(`198.51.100.${host}`, lasting).repeat(3))
    return socket
  })
  // A render that cannot end keeps its place for a second, so that each page would wait for several of these.
  expect(await threePages()).toBeLessThan(3 * usual + 4_000)
  expect(sent).toBe(0)
  for (const socket of sockets) socket.destroy()
  backend.close()
})
