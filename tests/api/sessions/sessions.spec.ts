import { DatabaseSync } from '@photostructure/sqlite'
import { registrationOptions, signInWithPassword, signUp } from '../../support/accounts'
import { Client } from '../../support/client'
import { expectAuthenticationFailed, expectError, expectSignedIn, expectSignedOut } from '../../support/expectations'
import { expect, test } from '../../support/fixtures'

test('/api/i returns the signed-in account', async ({ client, server }) => {
  const { username, id, answer } = await signUp(client)
  const me = await expectSignedIn(client)
  expect(me).toMatchObject({
    id,
    username,
    createdAt: answer.body.user.createdAt,
    hasPassword: true,
    passkeys: [],
    session: { expiresAt: answer.body.expiresAt, methods: ['pwd'] },
    rpId: new URL(server.origin).hostname,
  })
  expect(me.userHandle).toBe((await registrationOptions(client)).user.id)
  expect(JSON.stringify(me)).not.toMatch(/\$2[aby]\$|hash/i)
})

test('a session works as a bearer token, which wins over a cookie @promise', async ({ client, another }) => {
  const one = await signUp(client)
  const two = await signUp(another())
  const both = another({ bearer: two.token })
  both.jar.set('latchkey-session', one.token)
  expect((await expectSignedIn(both)).id).toBe(two.id)
  const corrupted = another({ bearer: `${two.token}x` })
  corrupted.jar.set('latchkey-session', one.token)
  await expectSignedOut(corrupted)
  const lower = another({ headers: { Authorization: `bearer ${one.token}` } })
  expect((await expectSignedIn(lower)).id).toBe(one.id)
})

test('a header without exactly one bearer token leaves the session to the cookie', async ({ client, another }) => {
  const one = await signUp(client)
  const two = await signUp(another())
  for (const Authorization of ['Bearer', 'Bearer  ', `Bearer ${two.token} x`, `Bearer${two.token}`, 'Basic x']) {
    const both = another({ headers: { Authorization } })
    both.jar.set('latchkey-session', one.token)
    expect((await expectSignedIn(both)).id, Authorization).toBe(one.id)
  }
})

test('signing out is answered 204 without a session, with a revoked one and with an invalid token', async ({
  client,
  another,
}) => {
  expect((await client.post('/api/signout')).status).toBe(204)
  const { token } = await signUp(client)
  for (const bearer of [token, token, `${token}x`, 'nonsense']) {
    const answer = await another({ bearer }).post('/api/signout')
    expect([answer.status, answer.text], bearer).toEqual([204, ''])
    await expectSignedOut(client)
  }
})

test('signing out ten times at once is answered 204 each time', async ({ client, another }) => {
  const { token } = await signUp(client)
  const answers = await Promise.all(Array.from({ length: 10 }, () => another({ bearer: token }).post('/api/signout')))
  expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(204))
  await expectSignedOut(client)
})

test('a sign-out that cannot be stored is answered 503 and keeps the session @promise', async ({ start }) => {
  const server = await start()
  const client = new Client(server)
  await signUp(client)
  const writer = new DatabaseSync(server.database)
  writer.exec('BEGIN IMMEDIATE')
  const answer = await client.post('/api/signout').finally(() => {
    writer.exec('ROLLBACK')
    writer.close()
  })
  expectError(answer, 503, 'unavailable')
  expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
  await expectSignedIn(client)
  expect((await client.post('/api/signout')).status).toBe(204)
})

test('signing out everywhere invalidates a passkey registration under way @promise', async ({
  client,
  authenticator,
}) => {
  const { username } = await signUp(client)
  const options = await registrationOptions(client)
  await client.post('/api/i/signout-everywhere')
  const answer = await client.post('/api/auth/register/verify', authenticator.create(options))
  expectAuthenticationFailed(answer)
  await signInWithPassword(client, username)
  expect((await expectSignedIn(client)).passkeys).toEqual([])
})
