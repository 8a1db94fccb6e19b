import { PASSWORD, randomName } from '../../support/accounts'
import { Client } from '../../support/client'
import { ENDPOINTS } from '../../support/endpoints'
import { expectError } from '../../support/expectations'
import { expect, test } from '../../support/fixtures'

const FOREIGN = [
  { Origin: 'https://evil.example' },
  { Origin: 'null' },
  { Origin: 'http://localhost' },
  { Origin: 'http://localhost:1' },
  { Origin: 'not an origin' },
  { 'Sec-Fetch-Site': 'cross-site' },
]

test('every endpoint rejects a foreign origin before it reads anything else @promise', async ({ client, server }) => {
  const near = [{ Origin: `${server.origin}.evil.example` }, { Origin: server.origin.replace('http:', 'https:') }]
  const foreignText = { Origin: 'https://evil.example', 'Content-Type': 'text/plain' }
  for (const { path, body } of ENDPOINTS) {
    for (const headers of [...FOREIGN, ...near])
      expectError(await client.post(path, body, { headers }), 403, 'foreign_origin')
    expectError(await client.post(path, undefined, { raw: 'x', headers: foreignText }), 403, 'foreign_origin')
  }
})

test('a request with Sec-Fetch-Site: cross-site is rejected even with our own Origin @promise', async ({
  client,
  server,
}) => {
  const headers = { Origin: server.origin, 'Sec-Fetch-Site': 'cross-site' }
  for (const { path, body } of ENDPOINTS) {
    expectError(await client.post(path, body, { headers }), 403, 'foreign_origin')
  }
})

test('no response lets a page of another origin read it @promise', async ({ client }) => {
  const headers = { Origin: 'https://evil.example', 'Access-Control-Request-Method': 'POST' }
  for (const path of [...ENDPOINTS.map(({ path }) => path), '/api/health', '/.well-known/webauthn'])
    for (const method of ['POST', 'GET', 'OPTIONS']) {
      const answer = await client.request(method, path, { headers })
      expect(Object.keys(answer.headers), `${method} ${path}`).not.toContain('access-control-allow-origin')
    }
})

test('what is meant for navigation rejects what a page embeds or fetches, and no page of another origin embeds a response @promise', async ({
  client,
}) => {
  for (const path of ['/api/oauth/authorize', '/api/oauth/logout', '/api/access']) {
    for (const destination of ['image', 'script', 'style', 'empty', 'worker', 'embed', 'object']) {
      const embedded = await client.request('GET', path, { headers: { 'Sec-Fetch-Dest': destination } })
      expect(embedded.status, `${path} ${destination}`).toBe(403)
      expect(embedded.cookies).toEqual([])
    }
    for (const headers of [{}, { 'Sec-Fetch-Dest': 'document' }, { 'Sec-Fetch-Dest': 'iframe' }])
      expect((await client.request('GET', path, { headers })).status, path).not.toBe(403)
  }
  const isolated = { 'cross-origin-resource-policy': 'same-origin' }
  for (const answer of [await client.post('/api/i'), await client.get('/api/nowhere'), await client.get('/api/access')])
    expect(answer.headers).toMatchObject(isolated)
  const page = await client.get('/api/oauth/authorize')
  expect(page.headers).toMatchObject({ ...isolated, 'cross-origin-opener-policy': 'same-origin' })
})

test('exactly the origins in APP_ORIGIN are accepted', async ({ start }) => {
  const server = await start({ env: { APP_ORIGIN: 'https://one.example, https://two.example:8443' } })
  const client = new Client(server)
  for (const Origin of ['https://one.example', 'https://two.example:8443']) {
    const answer = await client.post('/api/auth/login/options', undefined, { headers: { Origin } })
    expect(answer.status, Origin).toBe(200)
  }
  for (const Origin of ['https://two.example', 'http://one.example', server.url]) {
    const answer = await client.post('/api/auth/login/options', undefined, { headers: { Origin } })
    expectError(answer, 403, 'foreign_origin')
  }
})

test('without APP_ORIGIN a page may sign up by password on whichever host served it', async ({ start }) => {
  const server = await start({ env: { APP_ORIGIN: undefined } })
  const Host = `192.168.7.7:${server.port}`
  const body = { username: randomName(), password: PASSWORD }
  const same = { Host, Origin: `http://${Host}`, 'Sec-Fetch-Site': 'same-origin' }
  expect((await new Client(server).post('/api/signup', body, { headers: same })).status).toBe(201)
  const foreign = { Host, Origin: `http://192.168.7.8:${server.port}` }
  expectError(await new Client(server).post('/api/signin', body, { headers: foreign }), 403, 'foreign_origin')
})
