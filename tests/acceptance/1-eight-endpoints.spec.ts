// The eight endpoints that every program needs: sign up, in and out, the two passkey ceremonies, and who is signed in.
// A client checks each response against the API's own OpenAPI description.
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { PASSWORD, randomName } from '../support/accounts'
import { expectError, expectNoSession, expectSignedIn, expectSignedOut } from '../support/expectations'
import { expect, test } from '../support/fixtures'

const endpoints = [
  '/api/signup',
  '/api/signin',
  '/api/signout',
  '/api/auth/register/options',
  '/api/auth/register/verify',
  '/api/auth/login/options',
  '/api/auth/login/verify',
  '/api/i',
]

test('POST /api/signup creates an account with a password and opens a session of a week', async ({ client }) => {
  const username = randomName()
  const answer = await client.post('/api/signup', { username, password: PASSWORD })
  expect(answer.status, answer.text).toBe(201)
  expect(answer.body.user).toEqual({
    id: expect.any(String),
    username,
    displayName: null,
    createdAt: expect.any(String),
  })
  expect(Math.abs(Date.parse(answer.body.expiresAt) - Date.now() - 7 * 86_400_000)).toBeLessThan(60_000)
  expect(await expectSignedIn(client)).toMatchObject({ username, hasPassword: true, passkeys: [] })
})

test('POST /api/signin opens a session for the right password, whatever the case of the username', async ({
  client,
  another,
}) => {
  const username = randomName()
  const { body: made } = await client.post('/api/signup', { username, password: PASSWORD })
  const browser = another()
  const answer = await browser.post('/api/signin', { username: username.toUpperCase(), password: PASSWORD })
  expect(answer.status, answer.text).toBe(200)
  expect(answer.body.user).toEqual(made.user)
  expect((await expectSignedIn(browser)).session.methods).toEqual(['pwd'])
})

test('POST /api/signout ends the session, and is 204 without one, too', async ({ client }) => {
  await client.post('/api/signup', { username: randomName(), password: PASSWORD })
  expect((await client.post('/api/signout')).status).toBe(204)
  await expectSignedOut(client)
  expect((await client.post('/api/signout')).status).toBe(204)
})

test('POST /api/auth/register/options and /verify create an account with a passkey and no password', async ({
  client,
  authenticator,
}) => {
  const username = randomName()
  const options = (await client.post('/api/auth/register/options', { username })).body
  expect(options).toMatchObject({
    user: { name: username },
    attestation: 'none',
    authenticatorSelection: { residentKey: 'required', userVerification: 'preferred' },
  })
  const answer = await client.post('/api/auth/register/verify', authenticator.create(options))
  expect(answer.status, answer.text).toBe(201)
  expect(answer.body.user).toMatchObject({ id: options.user.id, username })
  expect(await expectSignedIn(client)).toMatchObject({ username, hasPassword: false, passkeys: [answer.body.passkey] })
})

test('with a session, /api/auth/register/options and /verify add a passkey to its account', async ({
  client,
  authenticator,
}) => {
  await client.post('/api/signup', { username: randomName(), password: PASSWORD })
  for (const count of [1, 2]) {
    const options = (await client.post('/api/auth/register/options', {})).body
    // The browser makes no second one on a device that has one.
    expect(options.excludeCredentials ?? []).toHaveLength(count - 1)
    expect((await client.post('/api/auth/register/verify', authenticator.create(options))).status).toBe(201)
    expect((await expectSignedIn(client)).passkeys).toHaveLength(count)
  }
})

test('POST /api/auth/login/options and /verify sign in with a passkey, and nobody types a username', async ({
  client,
  another,
  authenticator,
}) => {
  const username = randomName()
  const options = (await client.post('/api/auth/register/options', { username })).body
  await client.post('/api/auth/register/verify', authenticator.create(options))

  const browser = another()
  const request = (await browser.post('/api/auth/login/options')).body
  expect(request.allowCredentials).toEqual([])
  const answer = await browser.post('/api/auth/login/verify', authenticator.get(request))
  expect(answer.status, answer.text).toBe(200)
  expect(await expectSignedIn(browser)).toMatchObject({ username, session: { methods: ['passkey'] } })
})

test('POST /api/i says who is signed in, and nothing to anybody else', async ({ client, another }) => {
  const username = randomName()
  await client.post('/api/signup', { username, password: PASSWORD })
  expect((await client.post('/api/i')).body).toMatchObject({ username, email: null, groups: [] })
  const answer = await another().post('/api/i')
  expectError(answer, 401, 'not_signed_in')
  expect(Object.keys(answer.body).sort()).toEqual(['code', 'error'])
})

test('a page gets the session in a cookie that its scripts cannot read, a program as a token as well', async ({
  another,
}) => {
  const [page, program] = [another({ page: true }), another()]
  for (const client of [page, program]) {
    const answer = await client.post('/api/signup', { username: randomName(), password: PASSWORD })
    const session = answer.cookies.find(({ name }) => name === 'latchkey-session')
    expect(session?.attributes).toMatchObject({ httponly: true, samesite: 'Lax', path: '/' })
    expect(answer.body.token).toBe(client === page ? undefined : session?.value)
  }
  const bearer = another({ bearer: program.jar.get('latchkey-session') ?? '' })
  await expectSignedIn(bearer)
})

test('a username is taken in any case, and the account that has it stays as it was', async ({ client, another }) => {
  const username = randomName()
  await client.post('/api/signup', { username, password: PASSWORD })
  const again = { username: username.toUpperCase(), password: 'something else' }
  const answer = await another().post('/api/signup', again)
  expectError(answer, 409, 'username_taken')
  expectNoSession(answer)
  expectError(await another().post('/api/auth/register/options', again), 409, 'username_taken')
  expect((await another().post('/api/signin', { username, password: PASSWORD })).status).toBe(200)
})

test('what is wrong with a request is said field by field', async ({ client }) => {
  const answer = await client.post('/api/signup', { username: '!', password: 'short' })
  expectError(answer, 400, 'invalid_request')
  expect(answer.body.fields).toEqual({
    username: expect.stringMatching(/3 to 64/),
    password: expect.stringMatching(/8 characters/),
  })
  expectError(await client.post('/api/signin', undefined, { raw: '{}' }), 415, 'unsupported_media_type')
})

test('a password that anybody would guess is rejected', async ({ client }) => {
  for (const password of ['password123', 'P@$$w0rd', 'qwertyuiop', 'latchkey']) {
    const answer = await client.post('/api/signup', { username: randomName(), password })
    expectError(answer, 400, 'invalid_request')
    expect(answer.body.fields, password).toHaveProperty('password')
  }
})

test('each of the eight answers a page of another site with 403 and another method with 405', async ({ client }) => {
  for (const path of endpoints) {
    const headers = { Origin: 'https://evil.example' }
    expectError(
      await client.post(path, { username: randomName(), password: PASSWORD }, { headers }),
      403,
      'foreign_origin',
    )
    const answer = await client.get(path)
    expectError(answer, 405, 'method_not_allowed')
    expect(answer.headers.allow).toBe('POST')
    expect(answer.headers['cache-control']).toBe('no-store')
  }
})

test('the command in the README creates an account', async ({ server }) => {
  const [command = ''] = /^curl .*\/api\/signup.*$/m.exec(readFileSync('README.md', 'utf8')) ?? []
  const ours = command.replace('localhost:3000', `localhost:${server.port}`).replace('"ada"', `"${randomName()}"`)
  const { stdout } = await promisify(execFile)('sh', ['-c', ours.replace('localhost:', '127.0.0.1:')])
  expect(JSON.parse(stdout)).toMatchObject({ user: { id: expect.any(String) }, token: expect.any(String) })
})
