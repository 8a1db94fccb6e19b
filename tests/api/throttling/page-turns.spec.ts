import { expect, test } from '../../support/fixtures'
import { exchange, rawRequest, sendAndReset, statusOf } from '../../support/network/raw-http'

const requests = 80

test('a page is rendered before most of the 80 that another address has asked for, and again after 80 clients have left', {
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

  // Clients that leave while their pages wait leave no place taken.
  const leaving = rawRequest('GET', '/signin', { 'X-Forwarded-For': '198.51.100.7' })
  await Promise.all(Array.from({ length: requests }, () => sendAndReset(server.port, leaving)))
  expect(statusOf(await load('198.51.100.7'))).toBe(200)
})
