import { methodsByPath, rows } from '@/lib/api/endpoints'
import { PASSWORD, randomName, signUp } from '../../support/accounts'
import { type Answer, Client } from '../../support/client'
import { ENDPOINTS } from '../../support/endpoints'
import { expect, test } from '../../support/fixtures'

const LIMIT = 64 * 1024
const FORM = 'application/x-www-form-urlencoded'

/** A sign-up body of this size, padded with an unknown field. */
function signUpOfSize(bytes: number): string {
  const empty = JSON.stringify({ username: randomName(), password: PASSWORD, padding: '' })
  return empty.replace('"padding":""', `"padding":"${'x'.repeat(bytes - empty.length)}"`)
}

function expectCommonHeaders(answer: Answer, what: string) {
  expectNotKept(answer, what)
  if (answer.text !== '') expect(answer.headers['content-type'], what).toMatch(/^application\/json(;|$)/)
}

function expectNotKept(answer: Answer, what: string) {
  expect(answer.headers['cache-control'], what).toBe('no-store')
  expect(answer.headers['x-request-id'], what).toMatch(/^\S{8,}$/)
}

test('every error of an endpoint has no-store and a request id, also where nothing is set up @promise', async ({
  start,
}) => {
  const client = new Client(await start({ env: { PASSWORDS: 'off' } }))
  const missing = new Set<string>()
  for (const { method, path } of rows) {
    const answer = await client.request(method, path)
    if (answer.status >= 400) expectNotKept(answer, `${method} ${path}`)
    if (answer.status === 404 && answer.body.code === 'not_found') missing.add(path)
  }
  const resources = ['/brand/logo', '/brand/logo-dark', '/.well-known/change-password', '/.well-known/assetlinks.json']
  expect([...missing]).toEqual(expect.arrayContaining([...resources, '/.well-known/apple-app-site-association']))
})

test('every endpoint answers a wrong method with 405, the right ones, no-store and a request id', async ({
  client,
}) => {
  // server.ts rejects what the table does not name, whichever it is.
  for (const [path, methods] of Object.entries(methodsByPath))
    for (const method of ['GET', 'POST', 'DELETE'].filter((one) => !methods.includes(one))) {
      const answer = await client.request(method, path)
      expect([answer.status, answer.headers.allow], `${method} ${path}`).toEqual([405, methods.join(', ')])
      expectNotKept(answer, path)
    }
})

test('every endpoint answers with no-store and a request id of its own', async ({ client }) => {
  for (const { path, body } of ENDPOINTS) {
    const answers = [await client.post(path, body), await client.post(path, body)]
    for (const answer of answers) expectCommonHeaders(answer, path)
    expect(new Set(answers.map(({ headers }) => headers['x-request-id'])).size, path).toBe(2)
  }
})

const withBody = ENDPOINTS.filter(({ body }) => body !== undefined)

test('every endpoint that reads a body answers 415 to one that is not declared as JSON @promise', async ({
  client,
}) => {
  for (const { path, body } of withBody) {
    const raw = JSON.stringify(body)
    for (const type of path === '/api/signup' ? [undefined, 'x/json', 'application/jsonp', FORM] : ['text/plain']) {
      const answer = await client.post(path, undefined, { raw, headers: { 'Content-Type': type } })
      expect(answer.status, `${path} ${type ?? 'no type'}`).toBe(415)
      expect(answer.body).toMatchObject({ code: 'unsupported_media_type', error: expect.any(String) })
      expectCommonHeaders(answer, path)
    }
  }
})

test('every endpoint that reads a body answers 413 to one of more than 64 KiB', async ({ client }) => {
  const headers = { 'Content-Type': 'application/json' }
  for (const { path } of withBody) {
    const answer = await client.post(path, undefined, { raw: `"${'x'.repeat(LIMIT - 1)}"`, headers })
    expect(answer.status, path).toBe(413)
    expect(answer.body).toMatchObject({ code: 'payload_too_large', error: expect.any(String) })
    expectCommonHeaders(answer, path)
  }
})

test('a JSON media type is accepted with a charset and in any case', async ({ client }) => {
  const raw = JSON.stringify({ username: randomName(), password: PASSWORD })
  const answer = await client.post('/api/signup', undefined, {
    raw,
    headers: { 'Content-Type': 'Application/JSON; charset=UTF-8' },
  })
  expect(answer.status, answer.text).toBe(201)
})

test('a chunked upload is answered 413 once it exceeds 64 KiB @promise', async ({ client }) => {
  const answer = await client.post('/api/signup', undefined, {
    raw: signUpOfSize(1024 * 1024),
    headers: { 'Content-Type': 'application/json', 'Content-Length': undefined, 'Transfer-Encoding': 'chunked' },
  })
  expect(answer.status).toBe(413)
})

test('every endpoint that reads no body ignores any', async ({ another }) => {
  for (const { path } of ENDPOINTS.filter(({ body }) => body === undefined))
    for (const [raw, type] of [
      ['{"half": ', 'application/json'],
      ['username=x', FORM],
    ] as const) {
      const client = another()
      await signUp(client)
      const answer = await client.post(path, undefined, { raw, headers: { 'Content-Type': type } })
      // The password is this account's only way in.
      expect(path === '/api/i/password/remove' ? [409] : [200, 201, 204], `${path} ${answer.text}`).toContain(
        answer.status,
      )
    }
})

test('/api/signout and /api/i answer during an upload that they do not read', async ({ client }) => {
  const raw = 'x'.repeat(1024 * 1024)
  expect([401, 413]).toContain((await client.post('/api/i', undefined, { raw })).status)
  expect([204, 413]).toContain((await client.post('/api/signout', undefined, { raw })).status)
})

test('a client that offers an upgrade to HTTP/2, as curl --http2 and Java do, is answered in HTTP/1.1', {
  tag: '@pages',
}, async ({ client }) => {
  await client.get('/')
  const headers = { Connection: 'Upgrade, HTTP2-Settings', Upgrade: 'h2c', 'HTTP2-Settings': 'AAMAAABkAAQAAP__' }
  expect((await client.post('/api/i', undefined, { headers })).status).toBe(401)
  expect((await client.post('/api/signup', {}, { headers })).status).toBe(400)
})

test('an unknown path under /api is not found, whatever the method that Next knows', async ({ client }) => {
  for (const path of ['/api/nothing-here', '/api/i/nothing', '/api/%zz']) {
    for (const method of ['GET', 'POST', 'DELETE', 'OPTIONS']) {
      const answer = await client.request(method, path)
      expect([answer.status, answer.body?.code], `${method} ${path}`).toEqual([404, 'not_found'])
      expectCommonHeaders(answer, path)
    }
    expect((await client.request('HEAD', path)).status).toBe(404)
  }
})
