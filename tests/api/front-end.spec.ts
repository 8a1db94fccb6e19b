import { existsSync, readdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { login, PASSWORD, randomName, signIn, signUp, signUpWithPasskey } from '../accounts'
import { Authenticator } from '../authenticator'
import { Client, type ClientOptions } from '../client'
import { expectAuthenticationFailed, expectRefusal, expectSignedIn, expectSignedOut } from '../expectations'
import { expect, fakeBackend, test } from '../front-end'
import { resign } from '../tokens'

const WRONG = 'a wrong password'
const guess = async (client: Client) => (await signIn(client, randomName(), WRONG)).status

for (const mode of ['node', 'next'] as const) {
  test(`the API works through a front end that ${mode === 'node' ? 'server.ts' : 'Next alone'} serves`, async ({
    startApart,
  }) => {
    const { frontEnd, backend } = await startApart({ mode })
    const client = new Client(frontEnd)
    const { username, answer, token } = await signUp(client)
    // Each of several cookies arrives as a line of its own, with what the backend wrote.
    expect(answer.cookies.map(({ name }) => name)).toEqual(['session', 'device'])
    for (const { attributes } of answer.cookies) {
      expect(attributes).toMatchObject({ path: '/', httponly: true, samesite: 'Lax' })
    }
    expect(answer.headers).toMatchObject({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' })
    expect(await expectSignedIn(client)).toMatchObject({ username })
    expect(await expectSignedIn(new Client(backend, { bearer: token }))).toMatchObject({ username })
    expect((await client.post('/api/signout')).status).toBe(204)
    await expectSignedOut(new Client(backend, { bearer: token }))
    expect((await signIn(client, username)).status).toBe(200)

    const authenticator = new Authenticator(frontEnd.origin)
    await signUpWithPasskey(new Client(frontEnd), authenticator)
    expect((await login(new Client(frontEnd), authenticator)).status).toBe(200)
  })

  test(`no database is made by a front end that ${mode === 'node' ? 'server.ts' : 'Next alone'} serves`, async ({
    startApart,
  }) => {
    const { frontEnd } = await startApart({ mode })
    await signUp(new Client(frontEnd))
    await new Client(frontEnd).post('/signin', undefined, { method: 'GET' })
    expect(existsSync(dirname(frontEnd.database))).toBe(true)
    expect(readdirSync(dirname(frontEnd.database))).toEqual([])
  })
}

test('refusals come out as the backend words them', async ({ startApart }) => {
  const { frontEnd, backend } = await startApart()
  const { username } = await signUp(new Client(frontEnd))
  const asked: [path: string, body?: unknown, options?: ClientOptions, message?: { method?: string; raw?: string }][] =
    [
      ['/api/i'],
      ['/api/signup', { username, password: PASSWORD }],
      ['/api/signup', { username: '!', password: '' }],
      ['/api/signup', undefined, {}, { raw: 'no JSON' }],
      ['/api/signin', { username, password: WRONG }],
      ['/api/signup', undefined, {}, { raw: 'x'.repeat(70_000) }],
      ['/api/nothing?here=1', { some: 'body' }],
      ['/api/signin', undefined, {}, { method: 'GET' }],
      ['/api/i', undefined, { headers: { Origin: 'https://evil.example' } }],
      ['/api/i', undefined, { headers: { 'Sec-Fetch-Site': 'cross-site' } }],
      ['/api/i', undefined, { headers: { Authorization: 'Bearer nonsense' } }],
    ]
  for (const [path, body, options, message] of asked) {
    const [through, direct] = [
      await new Client(frontEnd, options).post(path, body, message),
      await new Client({ ...backend, origin: frontEnd.origin }, options).post(path, body, message),
    ]
    const { status, text } = direct
    expect(through, path).toMatchObject({ status, text })
    const about = ['content-type', 'cache-control', 'allow', 'x-content-type-options']
    expect(about.map((name) => through.headers[name])).toEqual(about.map((name) => direct.headers[name]))
    expect(status).toBeGreaterThanOrEqual(400)
  }
})

test('a page of the front end is one of ours to the backend, and a page elsewhere is not', async ({ startApart }) => {
  const { frontEnd } = await startApart()
  const { answer } = await signUp(new Client(frontEnd, { page: true }))
  expect(answer.body).not.toHaveProperty('token')
  const foreign = new Client(frontEnd, { headers: { Origin: 'https://evil.example' } })
  expectRefusal(await signIn(foreign, randomName()), 403, 'foreign_origin')
})

test('what a browser sends goes on as it is, and what only a proxy may say does not', async ({ startApart }) => {
  let seen: Record<string, unknown> = {}
  const fake = await fakeBackend((response) => {
    seen = { ...response.req.headers, path: response.req.url }
    response.end('{}')
  })
  const { frontEnd } = await startApart({ frontEndEnv: { BACKEND_URL: fake.url } })
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
  await new Client(frontEnd).post('/api/signin?a=b', undefined, { headers, raw: '{}' })
  expect(seen).toMatchObject({ ...kept, path: '/api/signin?a=b', host: new URL(fake.url).host, 'content-length': '2' })
  const { 'latchkey-client-address': address, ...rest } = seen
  expect(String(address)).toMatch(/^ey.+[.].+[.]/)
  expect(forged.filter((name) => name in rest)).toEqual([])
  fake.close()
})

test('the backend counts the address that the front end states, and no forged one', async ({ startApart }) => {
  const env = { RATE_LIMIT_ADDRESS_MAX: '3' }
  // The front end stands behind one proxy, so that this test can come from several addresses.
  const { frontEnd, backend } = await startApart({ env, frontEndEnv: { TRUSTED_PROXIES: '1' } })
  const from = (address: string, headers = {}) =>
    new Client(frontEnd, { headers: { 'X-Forwarded-For': address, ...headers } })
  const forged = ['1.1.1.1, 198.51.100.1', '2.2.2.2,198.51.100.1', '198.51.100.1', '3.3.3.3, 198.51.100.1']
  const statuses = []
  for (const address of forged) statuses.push(await guess(from(address)))
  expect(statuses).toEqual([401, 401, 401, 429])
  expect(await guess(from('198.51.100.2'))).toBe(401)

  const other = { 'Latchkey-Client-Address': await stated('198.51.100.99', backend.secret) }
  expect(await guess(from('198.51.100.1', other))).toBe(429)
  expect(backend.output()).not.toMatch(/JWT_SECRET|TRUSTED_PROXIES/)
})

test('the backend believes a stated address under its own secret only, and says so once', async ({ start }) => {
  const server = await start({ env: { RATE_LIMIT_ADDRESS_MAX: '3' } })
  const wrong = [
    await stated('198.51.100.1', 'another secret, which is long enough'),
    await stated('198.51.100.2', server.secret, { header: { typ: 'session+jwt' } }),
    await stated('198.51.100.3', server.secret, { claims: { exp: 1 } }),
    'nonsense',
  ]
  const guessFrom = (token: string) => guess(new Client(server, { headers: { 'Latchkey-Client-Address': token } }))
  const statuses = []
  for (const token of wrong) statuses.push(await guessFrom(token))
  expect(statuses).toEqual([401, 401, 401, 429])
  expect(await guessFrom(await stated('198.51.100.4', server.secret))).toBe(401)
  expect(server.output().match(/JWT_SECRET/g)).toHaveLength(1)
})

/** A client-address token as a front end would make it, changed as told. */
function stated(address: string, secret: string, change: { header?: object; claims?: object } = {}): Promise<string> {
  const iat = Math.floor(Date.now() / 1000)
  const claims = { address, jti: randomName(), iat, exp: iat + 60, ...change.claims }
  const header = { alg: 'HS256', typ: 'client-address+jwt', ...change.header }
  return resign('e30.e30.', secret, { header, claims })
}

test('while the backend is away everything is 503 with Retry-After, and then goes on', async ({ startApart }) => {
  const { frontEnd, backend } = await startApart()
  const client = new Client(frontEnd)
  await signUp(client)
  await backend.kill('SIGKILL')
  for (const path of ['/api/i', '/api/signout', '/api/auth/login/options', '/api/nothing']) {
    const answer = await client.post(path)
    expectRefusal(answer, 503, 'unavailable')
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
    expect(answer.headers['cache-control']).toBe('no-store')
  }
  await backend.restart()
  await expectSignedIn(client)
})

test('a backend that takes a request and never answers is given up on', async ({ startApart }) => {
  const silent = await fakeBackend((response) => response.end())
  const { frontEnd } = await startApart({ frontEndEnv: { BACKEND_URL: silent.url } })
  silent.answer = () => {}
  const answer = await new Client(frontEnd).post('/api/i')
  expectRefusal(answer, 503, 'unavailable')
  silent.close()
})

test('a redirect of the backend goes out as it came', async ({ startApart }) => {
  const moved = await fakeBackend((response) => response.writeHead(307, { Location: '/elsewhere' }).end())
  const { frontEnd } = await startApart({ frontEndEnv: { BACKEND_URL: moved.url } })
  const answer = await new Client(frontEnd).post('/api/i')
  expect([answer.status, answer.headers.location]).toEqual([307, '/elsewhere'])
  moved.close()
})

test('with another secret nobody gets in, and both logs name JWT_SECRET once', async ({ startApart }) => {
  const { frontEnd, backend } = await startApart({
    frontEndEnv: { JWT_SECRET: 'another secret, which is long enough' },
  })
  const client = new Client(frontEnd)
  for (let time = 0; time < 2; time += 1) {
    const answer = await client.post('/api/signup', { username: randomName(), password: PASSWORD })
    expectAuthenticationFailed(answer)
    expect(answer.cookies).toEqual([])
  }
  for (const { output } of [frontEnd, backend]) expect(output().match(/JWT_SECRET/g)).toHaveLength(1)
})

test('a front end without the secret does not start, and says why', async ({ start }) => {
  const env = { BACKEND_URL: 'http://127.0.0.1:1', DATABASE_URL: undefined, JWT_SECRET: undefined }
  await expect(start({ env })).rejects.toThrow(/The server ended:[\s\S]*\bJWT_SECRET\b/)
})
