import { randomBytes } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { createServer } from 'node:net'
import { createRecoveryCodes, PASSWORD, signInWithRecoveryCode, signUp, WRONG_PASSWORD } from '../../support/accounts'
import { Client } from '../../support/client'
import { eventsOf } from '../../support/events'
import { expectError, expectSignedIn, expectSignedOut } from '../../support/expectations'
import { listenLocally } from '../../support/network/listen-locally'
import { exchange, headersOf, rawRequest, statusOf } from '../../support/network/raw-http'
import { expect, fakeBackend, test } from '../../support/network/split-deployment'
import { resign } from '../../support/tokens/tokens'

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:146.0) Gecko/20100101 Firefox/146.0'

test("another site's link leads who is signed in to the pages of a front end", { tag: '@pages' }, async ({
  splitDeployment,
}) => {
  const client = new Client(splitDeployment.frontEnd)
  const { username } = await signUp(client)
  const headers = { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'document' }
  const page = await client.get('/profile', { headers })
  expect([page.status, page.text.includes(username)]).toEqual([200, true])
})

test('a front end renders a page for whoever has as many cookies as a head has room for', { tag: '@pages' }, async ({
  splitDeployment: { frontEnd },
}) => {
  const client = new Client(frontEnd)
  const { token } = await signUp(client)
  const cookies = `latchkey-session=${token}`
  const spare = 16_300 - rawRequest('GET', '/profile', { Cookie: cookies }).length
  const response = await exchange(
    frontEnd.port,
    rawRequest('GET', '/profile', { Cookie: `${cookies}; a=${'a'.repeat(spare)}` }),
  )
  expect(statusOf(response)).toBe(200)
})

test('an account is managed through a front end as it is without one', async ({ splitDeployment }) => {
  const { frontEnd, backend } = splitDeployment
  const client = new Client(frontEnd, { headers: { 'User-Agent': FIREFOX } })
  const { username, token } = await signUp(client)
  const [code] = await createRecoveryCodes(client)
  const body = { password: 'another good password', currentPassword: PASSWORD }
  expect((await client.post('/api/i/password', body)).cookies.map(({ name }) => name)).toEqual([
    'latchkey-session',
    'latchkey-device',
  ])
  await expectSignedOut(new Client(backend, { bearer: token }))
  expect((await signInWithRecoveryCode(client, username, code)).status).toBe(200)
  // Events name the browser, not the front end that forwarded the request.
  expect((await eventsOf(client))[0]).toMatchObject({
    type: 'reauthenticated',
    method: 'recovery',
    browser: 'Firefox on Linux',
  })
  const gone = await client.post('/api/i/delete')
  expect([gone.status, client.jar.size]).toEqual([204, 0])
})

test('a front end passes errors on as the backend sends them', async ({ splitDeployment }) => {
  const { frontEnd, backend } = splitDeployment
  const { username } = await signUp(new Client(frontEnd))
  const asked: [what: string, message?: { body?: unknown; raw?: string }, headers?: Record<string, string>][] = [
    ['POST /api/i'],
    ['POST /api/signup', { body: { username, password: PASSWORD } }],
    ['POST /api/signup', { body: { username: '!', password: '' } }],
    ['POST /api/signup', { raw: 'no JSON' }],
    ['POST /api/signin', { body: { username, password: WRONG_PASSWORD } }],
    ['POST /api/signup', { raw: 'x'.repeat(70_000) }],
    ['POST /api/nothing?here=1', { body: { some: 'body' } }],
    ['GET /api/signin'],
    ['POST /api/i', {}, { Origin: 'https://evil.example' }],
    ['POST /api/i', {}, { 'Sec-Fetch-Site': 'cross-site' }],
    ['POST /api/i', {}, { Authorization: 'Bearer nonsense' }],
  ]
  for (const [what, message, headers = {}] of asked) {
    const [method = '', path = ''] = what.split(' ')
    const [through, direct] = [
      await new Client(frontEnd, { headers }).request(method, path, message),
      await new Client({ ...backend, origin: frontEnd.origin }, { headers }).request(method, path, message),
    ]
    const { status, text } = direct
    expect(through, what).toMatchObject({ status, text })
    const about = ['content-type', 'cache-control', 'allow', 'x-content-type-options']
    expect(about.map((name) => through.headers[name])).toEqual(about.map((name) => direct.headers[name]))
    expect(status).toBeGreaterThanOrEqual(400)
  }
})

test("a front end forwards no path that it does not know, however it is spelt, and no body as another request, and passes the backend's redirects on without following them @promise", async ({
  startFrontEnd,
}) => {
  const received: string[] = []
  const backend = await fakeBackend((response) => {
    received.push(`${response.req.method} ${response.req.url}`)
    response.end()
  })
  const frontEnd = await startFrontEnd(backend.url)
  const { port } = frontEnd
  received.length = 0
  const paths = ['/api/..%2fmetrics', '/api/..%5cmetrics', '/api/%2e%2e/metrics', '/api/nothing', '/api/i%2f..']
  for (const path of paths) expect(statusOf(await exchange(port, rawRequest('POST', path))), path).toBe(404)
  const planted = rawRequest('GET', '/planted', { Connection: 'keep-alive' })
  for (const method of ['DELETE', 'OPTIONS']) await exchange(port, rawRequest(method, '/api/i', {}, planted))
  expect(statusOf(await exchange(port, rawRequest('POST', '/api/i')))).toBe(200)
  expect(received).toEqual(['DELETE /api/i', 'OPTIONS /api/i', 'POST /api/i'])

  const named = { Connection: 'close, X-Hop', 'X-Hop': 'of this connection alone' }
  backend.answer = (response) => response.writeHead(307, { Location: '/elsewhere', ...named }).end()
  const answer = await new Client(frontEnd, { undocumented: true }).post('/api/i')
  expect([answer.status, answer.headers.location]).toEqual([307, '/elsewhere'])
  expect(answer.headers).not.toHaveProperty('x-hop')
  const redirect = (length: number) => {
    backend.answer = (response) => response.writeHead(303, { Location: `/${'x'.repeat(length)}` }).end()
    return exchange(port, rawRequest('GET', '/api/oauth/authorize'))
  }
  expect(headersOf(await redirect(80_000)).location?.[0]).toHaveLength(80_001)
  expect(statusOf(await redirect(120_000))).toBe(503)
  await expect.poll(() => frontEnd.output()).toContain('Header overflow')
  // Nothing of a response that cannot be read.
  expect(frontEnd.output()).not.toContain(Buffer.from('xxx').join())
  await backend.close()
})

test('while the backend is down a front end paces what it rejects, whatever the endpoint, and logs one warning a minute', async ({
  startFrontEnd,
}) => {
  const frontEnd = await startFrontEnd('http://127.0.0.1:1')
  const client = new Client(frontEnd)
  const started = performance.now()
  const asked = Array.from({ length: 25 }, () => [
    client.post('/api/i'),
    client.get('/api/forward-auth'),
    client.get('/.well-known/jwks.json'),
  ])
  for (const answer of await Promise.all(asked.flat())) expectError(answer, 503, 'unavailable')
  // After fifty at once, 25 a second.
  expect(performance.now() - started).toBeGreaterThan(900)
  expect(frontEnd.output().match(/no response from the backend/g)).toHaveLength(1)
})

test("a front end answers 503 when the protocol is changed in its backend's place", async ({ startFrontEnd }) => {
  const changing = createServer((socket) => {
    socket.on('error', () => {}).resume()
    socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: other\r\n\r\n')
  })
  const { url, close } = await listenLocally(changing)
  const frontEnd = await startFrontEnd(url)
  expectError(await new Client(frontEnd).post('/api/i'), 503, 'unavailable')
  await frontEnd.stop()
  await close()
})

test('a front end answers 503 when the backend never answers a request, and waits longer for /api/deliver', async ({
  startFrontEnd,
}) => {
  const silent = await fakeBackend((response) => response.end())
  const frontEnd = await startFrontEnd(silent.url)
  const asked = new Promise<ServerResponse>((resolve) => {
    silent.answer = resolve
  })
  const delivery = new Client(frontEnd, { bearer: 'a secret of cron jobs' }).get('/api/deliver')
  const response = await asked
  silent.answer = () => {}
  const answer = await new Client(frontEnd).post('/api/i')
  expectError(answer, 503, 'unavailable')
  const deliveries = { delivered: 0, failed: 1, waiting: 1 }
  response.setHeader('Content-Type', 'application/json').end(JSON.stringify(deliveries))
  expect(await delivery).toMatchObject({ status: 200, body: deliveries })
  await silent.close()
})

test("a front end logs that a proxy answers in its backend's place, and not what a backend answers", async ({
  startFrontEnd,
}) => {
  const proxy = await fakeBackend((response) => response.writeHead(503, { 'X-Request-Id': 'of-a-backend' }).end())
  const frontEnd = await startFrontEnd(proxy.url)
  const client = new Client(frontEnd, { undocumented: true })
  expect((await client.post('/api/i')).status).toBe(503)
  expect(frontEnd.output()).not.toContain('backend unavailable')
  proxy.answer = (response) => response.writeHead(503).end()
  expect((await client.post('/api/i')).status).toBe(503)
  await expect.poll(() => frontEnd.output()).toContain('backend unavailable')
  await proxy.close()
})

// Each side checks a token of the other's that is signed with its own previous secret, whichever side was first.
test('while the secret changes, the front end may sign with the new one first', async ({ startSplitDeployment }) => {
  const [old, fresh] = [randomBytes(48).toString('base64'), randomBytes(48).toString('base64')]
  const { frontEnd, backend } = await startSplitDeployment({
    frontEndEnv: { JWT_SECRET: fresh, JWT_SECRET_PREVIOUS: old },
    env: { JWT_SECRET: old, JWT_SECRET_PREVIOUS: fresh },
  })
  const client = new Client(frontEnd)
  await signUp(client)
  await expectSignedIn(client)
  for (const { output } of [frontEnd, backend]) expect(output()).not.toContain('JWT_SECRET')
})

test('/secure shows its alarm for the session that it read once, even if that session ends before the next read', {
  tag: '@pages',
}, async ({ splitDeployment, startFrontEnd }) => {
  const client = new Client(splitDeployment.frontEnd)
  const { token } = await signUp(client)
  const account = await expectSignedIn(client)
  const event = { type: 'passkey_added', at: new Date().toISOString(), method: null, browser: null }
  let reads = 0
  const backend = await fakeBackend((response) => {
    const { url } = response.req
    if (url === '/api/i') reads += 1
    const status = url === '/api/i' && reads > 1 ? 401 : 200
    const body = url === '/api/i' ? account : { events: [event], sessions: [], apps: [], tiles: [] }
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
  })
  const frontEnd = await startFrontEnd(backend.url)
  const visitor = new Client(frontEnd)
  visitor.jar.set('latchkey-session', await resign(token, frontEnd.secret))
  const page = await visitor.get('/secure')
  expect(page.text).toContain('<title>Secure your account')
  expect(page.text).toContain('What happened')
  expect(reads).toBe(1)
  await backend.close()
})
