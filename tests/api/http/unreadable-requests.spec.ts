import { signUp } from '../../support/accounts'
import { expect, test } from '../../support/fixtures'
import { exchange, headersOf, rawRequest, statusOf } from '../../support/network/raw-http'
import { logSinceReady } from '../../support/server/server-log'

test('a Host that no address can have is 400 on every path, and leaves nothing in the log', async ({ start }) => {
  const server = await start()
  const hosts = ['x:99999', '1.2.3.4.5', 'xn--', '[::1', 'a/b', 'x?y', 'x@y', 'a b']
  for (const Host of hosts) {
    for (const [method, path] of [
      ['GET', '/api/access'],
      ['POST', '/api/i'],
      ['GET', '/nothing'],
    ] as const) {
      const response = await exchange(server.port, rawRequest(method, path, { Host }))
      expect(statusOf(response), `${Host} ${method} ${path}`).toBe(400)
      expect(response).toContain('"code":"invalid_request"')
    }
    const atOAuth = await exchange(server.port, rawRequest('POST', '/api/oauth/token', { Host }))
    expect(statusOf(atOAuth), Host).toBe(400)
    expect(atOAuth).toContain('"error":"invalid_request","error_description"')
  }
  for (const Host of ['localhost', 'example.com:80', '[::1]:3000', '192.0.2.7', 'EXAMPLE.com.'])
    expect(statusOf(await exchange(server.port, rawRequest('GET', '/api/access', { Host }))), Host).toBe(303)
  expect(await logSinceReady(server)).toBe('')
})

const manyOf = (count: number, one: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => one(index))
const costly = [
  ['a router state of 100 arrays', '', { 'Next-Router-State-Tree': nestedState(100) }],
  ['201 cookies', '', { Cookie: manyOf(201, (index) => `c${index}=`).join('; ') }],
  [
    '120 cookies of 81 characters',
    '',
    { Cookie: manyOf(120, (index) => `c=${'x'.repeat(78)}${index % 10}`).join(';') },
  ],
  ['101 parameters', `?${manyOf(101, () => 'a').join('&')}`, {}],
] as const
for (const [what, search, headers] of costly) {
  test(`a request with ${what} is 400 before Next reads it @promise`, {
    tag: '@pages',
  }, async ({ server }) => {
    for (const path of ['/signin', '/nothing', '/nothing.txt', '/icon.svg']) {
      const response = await exchange(server.port, rawRequest('GET', path + search, headers))
      expect(statusOf(response), path).toBe(400)
      expect(response).toContain('"code":"invalid_request"')
    }
  })
}

test('a page is served to a browser with as many cookies, parameters and arrays of a router state as are read', {
  tag: '@pages',
}, async ({ server }) => {
  const search = manyOf(100, (index) => `p${index}=`).join('&')
  const cookies = { Cookie: manyOf(200, (index) => `c${index}=`).join('; ') }
  for (const headers of [cookies, { 'Next-Router-State-Tree': nestedState(99) }])
    expect(statusOf(await exchange(server.port, rawRequest('GET', `/signin?${search}`, headers)))).toBe(200)
})

function nestedState(arrays: number) {
  const outer = arrays - 1
  return encodeURIComponent(`${'["",{"children":'.repeat(outer)}["",{}]${'}]'.repeat(outer)}`)
}

test('the query of /api/access is read as the client wrote it', async ({ server, client }) => {
  const { token } = await signUp(client)
  const headers = { Authorization: `Bearer ${token}` }
  const locationOf = async (target: string) =>
    headersOf(await exchange(server.port, rawRequest('GET', target, headers))).location
  expect(await locationOf('/api/access?next=%2Fpasskeys%3Fa%3Db%23c')).toEqual(['/passkeys?a=b#c'])
  expect(await locationOf(`http://localhost:${server.port}/api/access?next=/passkeys`)).toEqual(['/passkeys'])
  expect(await locationOf('/api/access?next=/passkeys&next=/profile')).toEqual(['/profile'])
})
