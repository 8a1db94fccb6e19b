import { expect, test } from '../../support/fixtures'
import { exchange, rawRequest, sendAndReset, statusOf } from '../../support/network/raw-http'

const requests = 120

test('a page is rendered before most of the 120 that another address has asked for', {
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
