import { randomName, signInWithPassword, signUp, WRONG_PASSWORD } from '../../support/accounts'
import { Client } from '../../support/client'
import { expect, fakeBackend, test } from '../../support/network/split-deployment'
import { now, resign } from '../../support/tokens/tokens'

const OTHER_SECRET = 'Hq7Zt1XwB9nLr4VcKs8PmYd2GfJu6TeAoW3bRi5NxQk='
const tryPassword = async (client: Client) => (await signInWithPassword(client, randomName(), WRONG_PASSWORD)).status

test('a front end forwards what the browser sent and drops headers that only a proxy may set', async ({
  startFrontEnd,
}) => {
  let seen: Record<string, unknown> = {}
  const fake = await fakeBackend((response) => {
    seen = { ...response.req.headers, path: response.req.url }
    response.end('{}')
  })
  const frontEnd = await startFrontEnd(fake.url)
  const kept = {
    origin: 'https://somewhere.example',
    'sec-fetch-site': 'same-site',
    'sec-fetch-mode': 'no-cors',
    'sec-fetch-dest': 'empty',
    cookie: 'a=1; session=x; a=2',
    authorization: 'Bearer  y',
    'content-type': 'application/json; charset=utf-8',
    'user-agent': 'tests',
  }
  const forged = ['x-forwarded-for', 'x-real-ip', 'forwarded', 'x-forwarded-host', 'latchkey-client-address']
  const headers = { ...kept, ...Object.fromEntries(forged.map((name) => [name, '1.1.1.1'])) }
  const client = new Client(frontEnd, { undocumented: true })
  await client.post('/api/signin?a=b', undefined, { headers, raw: '{}' })
  expect(seen).toMatchObject({ ...kept, path: '/api/signin?a=b', host: new URL(fake.url).host, 'content-length': '2' })
  const { 'latchkey-client-address': address, ...rest } = seen
  expect(String(address)).toMatch(/^ey.+[.].+[.]/)
  expect(forged.filter((name) => name in rest)).toEqual([])
  await fake.close()
})

test('a backend limits attempts by the client address its front end signed, and by no forged one @promise', async ({
  startSplitDeployment,
}) => {
  const env = { RATE_LIMIT_ADDRESS_MAX: '3' }
  // Behind one proxy, so that the test can come from several addresses.
  const { frontEnd, backend } = await startSplitDeployment({ env, frontEndEnv: { TRUSTED_PROXIES: '1' } })
  const from = (address: string, headers = {}) =>
    new Client(frontEnd, { headers: { 'X-Forwarded-For': address, ...headers } })
  const forged = ['1.1.1.1, 198.51.100.1', '2.2.2.2,198.51.100.1', '198.51.100.1', '3.3.3.3, 198.51.100.1']
  const statuses = []
  for (const address of forged) statuses.push(await tryPassword(from(address)))
  expect(statuses).toEqual([401, 401, 401, 429])
  expect(await tryPassword(from('198.51.100.2'))).toBe(401)

  const other = { 'Latchkey-Client-Address': await signedAddress('198.51.100.99', backend.secret) }
  expect(await tryPassword(from('198.51.100.1', other))).toBe(429)
  expect(backend.output()).not.toMatch(/JWT_SECRET|TRUSTED_PROXIES/)
})

test("a front end's pages call its backend with the client's address, and never with a forged session", {
  tag: '@pages',
}, async ({ startSplitDeployment }) => {
  const { frontEnd, backend } = await startSplitDeployment({ frontEndEnv: { TRUSTED_PROXIES: '1' } })
  const client = new Client(frontEnd, { headers: { 'X-Forwarded-For': '198.51.100.1' } })
  const { token } = await signUp(client)
  await new Client(backend, { bearer: token }).post('/api/signout')
  const openPage = async (path: string, session: string) => {
    client.jar.set('latchkey-session', session)
    await client.get(path)
  }
  const forged = await resign(token, OTHER_SECRET)
  for (const path of ['/consent?request=x', '/signout?request=x', '/profile']) await openPage(path, forged)
  await openPage('/profile', token)
  const rejections = () =>
    backend
      .output()
      .split('\n')
      .filter((line) => line.includes('"outcome":"rejected"'))
      .map((line) => JSON.parse(line))
  await expect.poll(rejections).toMatchObject([{ event: 'not_signed_in', address: '198.51.100.1' }])
})

test('a backend ignores a client address signed with another secret, and logs that once', async ({ start }) => {
  const server = await start({ env: { RATE_LIMIT_ADDRESS_MAX: '3' } })
  const wrong = [
    await signedAddress('198.51.100.1', OTHER_SECRET),
    await signedAddress('198.51.100.2', server.secret, { header: { typ: 'session+jwt' } }),
    await signedAddress('198.51.100.3', server.secret, { claims: { exp: 1 } }),
    'nonsense',
  ]
  const tryPasswordFrom = (token: string) =>
    tryPassword(new Client(server, { headers: { 'Latchkey-Client-Address': token } }))
  const statuses = []
  for (const token of wrong) statuses.push(await tryPasswordFrom(token))
  expect(statuses).toEqual([401, 401, 401, 429])
  expect(await tryPasswordFrom(await signedAddress('198.51.100.4', server.secret))).toBe(401)
  await server.kill('SIGTERM')
  expect(server.output().match(/JWT_SECRET/g)).toHaveLength(1)
})

/** A client-address token as a front end signs it, with changes. */
function signedAddress(
  address: string,
  secret: string,
  change: { header?: object; claims?: object } = {},
): Promise<string> {
  const iat = now()
  const claims = { address, jti: randomName(), iat, exp: iat + 60, ...change.claims }
  const header = { alg: 'HS256', typ: 'client-address+jwt', ...change.header }
  return resign('e30.e30.', secret, { header, claims, keyOf: 'client-address' })
}
