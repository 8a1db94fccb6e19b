import fc from 'fast-check'
import { PASSWORD, randomName, signUp } from '../../support/accounts'
import type { Client } from '../../support/client'
import { ENDPOINTS } from '../../support/endpoints'
import { expectWellFormedError } from '../../support/expectations'
import { expect, test } from '../../support/fixtures'
import { runsOf } from '../../support/properties'

const JSON_TYPE = { 'Content-Type': 'application/json' }

const KEYS = [
  'username',
  'password',
  'id',
  'rawId',
  'type',
  'response',
  'clientExtensionResults',
  'authenticatorAttachment',
  'currentPassword',
  'code',
  'name',
  'automatic',
]
const INNER = [
  'clientDataJSON',
  'attestationObject',
  'authenticatorData',
  'signature',
  'userHandle',
  'transports',
  'challenge',
]
const STRANGE = ['__proto__', 'constructor', 'toString', 'then', '']

const text = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.base64String(),
  fc.constantFrom('\u0000', '\ud800', ' '),
)
const value = fc.oneof({ weight: 3, arbitrary: text }, { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 4 }) })
const inner = fc.dictionary(fc.constantFrom(...INNER, ...STRANGE), value)
const ceremony = fc.dictionary(fc.constantFrom(...KEYS, ...STRANGE), fc.oneof(value, inner))
const answerLike = fc.record({
  id: fc.base64String(),
  rawId: fc.base64String(),
  type: fc.constantFrom('public-key', 'password', ''),
  clientExtensionResults: fc.oneof(fc.constant({}), fc.jsonValue()),
  response: fc.record({
    clientDataJSON: fc.base64String(),
    attestationObject: fc.base64String(),
    authenticatorData: fc.base64String(),
    signature: fc.base64String(),
  }),
})

/** The status of an endpoint that needs nothing from its body. */
const FREE: Record<string, number> = {
  '/api/signout': 204,
  '/api/auth/login/options': 200,
  '/api/auth/register/options': 200,
}

/** The status of an endpoint when a random body happens to be valid. */
const BY_CHANCE: Record<string, number> = {
  '/api/signup': 201,
  '/api/i/name': 200,
  '/api/i/username': 200,
  '/api/i/events': 200,
  '/api/i/signout-everywhere': 204,
  '/api/token': 200,
}

/** Endpoints that require a session look at the body only when there is one. */
const signUpIfNeeded = (client: Client, { needsSession, body }: (typeof ENDPOINTS)[0]) =>
  needsSession && body !== undefined ? signUp(client) : undefined

/** All endpoints read bodies and headers by the same code, with a session or without. */
const READERS = ['/api/signin', '/api/i/username']

const bytesOf = (client: Client, path: string, raw: string | Uint8Array) =>
  client.post(path, undefined, { raw, headers: JSON_TYPE })

for (const endpoint of ENDPOINTS) {
  const { path, fields } = endpoint
  test(`${path} answers any JSON with a well-formed error`, async ({ client }) => {
    await signUpIfNeeded(client, endpoint)
    const own = fc.dictionary(fc.constantFrom(...fields, ...STRANGE), value)
    const bodies = fc.oneof(fc.jsonValue(), ceremony, answerLike, own)
    const property = fc.asyncProperty(bodies, async (body) => {
      const answer = await bytesOf(client, path, JSON.stringify(body))
      expectWellFormedError(answer, FREE[path] ?? BY_CHANCE[path])
    })
    await fc.assert(property, runsOf(15))
  })
}

test('known attacks are answered with a well-formed error', async ({ client }) => {
  await signUp(client)
  const bodies = [
    `${'['.repeat(20_000)}${']'.repeat(20_000)}`,
    `${'{"a":'.repeat(8_000)}1${'}'.repeat(8_000)}`,
    '{"username":"a","username":"b","password":1e999}',
    '{"__proto__":{"username":"polluted","password":"polluted password"}}',
    '{"constructor":{"prototype":{"isAdmin":true}},"username":{"$ne":null},"password":{"$gt":""}}',
    `{"username":"' OR 1=1 --","password":"' OR '1'='1"}`,
    `{"username":"${'a'.repeat(60_000)}","password":"x"}`,
    '{"username":"x","password":"\\ud800\\udfff\\u0000"',
    '{"id":"..","rawId":"..","type":"public-key","response":{"clientDataJSON":"bnVsbA","attestationObject":"oA"},"clientExtensionResults":{}}',
    '{"id":"","rawId":"","type":"public-key","response":{"clientDataJSON":"W10","authenticatorData":"","signature":""},"clientExtensionResults":{}}',
  ]
  for (const path of [...READERS, '/api/signup', '/api/auth/register/verify', '/api/auth/login/verify'])
    for (const raw of bodies) expectWellFormedError(await bytesOf(client, path, raw), BY_CHANCE[path])
})

for (const path of READERS) {
  test(`${path} answers any bytes with a well-formed error`, async ({ client }) => {
    await signUp(client)
    const property = fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (raw) =>
      expectWellFormedError(await bytesOf(client, path, raw)),
    )
    await fc.assert(property, runsOf(50))
  })

  test(`${path} answers malformed headers with a well-formed error`, async ({ client }) => {
    await signUp(client)
    const headers: Record<string, string>[] = [
      { Cookie: 'latchkey-session=%E0%A4%A; latchkey-device=%; =; ;;; __proto__=x; latchkey-session' },
      { Cookie: `latchkey-session=${'a.'.repeat(3000)}` },
      { Cookie: 'latchkey-session="eyJ"; latchkey-session=eyJhbGciOiJub25lIn0..' },
      { Authorization: 'Bearer' },
      { Authorization: 'Bearer  ' },
      { Authorization: 'Basic dXNlcjpwYXNz' },
      { Authorization: 'Bearer eyJhbGciOiJIUzI1NiJ9.bnVsbA.AAAA' },
      { 'X-Forwarded-For': ',,, ,::::,999.1.1.1' },
      { 'X-Request-Id': 'line\tbreak"<script>' },
      { 'Content-Encoding': 'gzip' },
      { Accept: 'text/html' },
      { Host: 'evil.example' },
      { Expect: '100-continue' },
    ]
    for (const each of headers) expectWellFormedError(await client.post(path, {}, { headers: each }))
  })
}

test('the service still works after an attempt at prototype pollution', async ({ client }) => {
  await client.post('/api/signup', undefined, {
    raw: '{"__proto__":{"password":"polluted password"}}',
    headers: JSON_TYPE,
  })
  const answer = await client.post('/api/signup', { username: randomName() })
  expect(answer.status).toBe(400)
  await signUp(client, randomName(), PASSWORD)
})
