import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from '../../support/fixtures'
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
  const server = await start({ mode: 'node', env: { TRUSTED_PROXIES: '1', RATE_LIMIT_ADDRESS_MAX: '1' } })
  const attempt = (host: number, headers = {}) => {
    const forwarded = { 'Content-Type': 'application/json', 'X-Forwarded-For': `2001:db8:1:${host}::1` }
    return rawRequest('POST', '/api/signin', { ...forwarded, ...headers }, '{"username":"nobody","password":"wrong"}')
  }
  // All further attempts are rejected, and after some 300 held back: the pace is that of the /48.
  for (let host = 1; host <= 30; host += 1) await exchange(server.port, attempt(host))
  for (let time = 0; time < 300; time += 1) void exchange(server.port, attempt(1)).catch(() => undefined)
  const probe = () => Promise.race([exchange(server.port, attempt(1)), pause(1_000, 'held back')])
  await expect.poll(probe).toBe('held back')
  let sent = 0
  const sockets = Array.from({ length: 30 }, (_, host) => {
    const socket = connect(server.port, '127.0.0.1')
    socket.on('error', () => {}).on('data', () => (sent += 1))
    const page = rawRequest('GET', '/signin', {
      Connection: 'keep-alive',
      'X-Forwarded-For': `2001:db8:1:${host + 1}::1`,
    })
    socket.write(attempt(host + 1, { Connection: 'keep-alive' }) + page.repeat(3))
    return socket
  })
  for (let time = 0; time < 3; time += 1) {
    const response = await exchange(server.port, rawRequest('GET', '/signin', { 'X-Forwarded-For': '203.0.113.9' }))
    expect(statusOf(response)).toBe(200)
  }
  expect(sent).toBe(0)
  for (const socket of sockets) socket.destroy()
})
