import {
  authenticate,
  changePassword,
  PASSWORD,
  signInWithPassword,
  signUp,
  signUpWithPasskey,
} from '../../support/accounts'
import { expectAuthenticationFailed, expectError, expectSignedIn, expectSignedOut } from '../../support/expectations'
import { expect, test } from '../../support/fixtures'

const NEXT = 'a password for tomorrow'

test('an account created with a passkey can set its first password', async ({ client, another, authenticator }) => {
  const { username } = await signUpWithPasskey(client, authenticator)
  expect((await expectSignedIn(client)).hasPassword).toBe(false)
  const answer = await changePassword(client, NEXT)
  expect(answer.status, answer.text).toBe(200)
  expect((await expectSignedIn(client)).hasPassword).toBe(true)
  expect((await signInWithPassword(another(), username, NEXT)).status).toBe(200)
  expect((await authenticate(another(), authenticator)).status).toBe(200)
})

test('changing the password revokes all sessions and opens a new one @storage', async ({ client, another }) => {
  const { username, token } = await signUp(client)
  const elsewhere = another()
  await signInWithPassword(elsewhere, username)
  const answer = await changePassword(client, NEXT, PASSWORD)
  expect(answer.status, answer.text).toBe(200)
  expect(answer.body).toMatchObject({ expiresAt: expect.any(String), token: client.jar.get('latchkey-session') })
  await expectSignedOut(elsewhere)
  await expectSignedOut(another({ bearer: token }))
  expect((await expectSignedIn(client)).session.expiresAt).toBe(answer.body.expiresAt)
  expectAuthenticationFailed(await signInWithPassword(another(), username, PASSWORD))
  expect((await signInWithPassword(another(), username, NEXT)).status).toBe(200)
})

test('a page that changes the password gets the new session in a cookie only', async ({ another }) => {
  const page = another({ page: true })
  await signUp(page)
  const answer = await changePassword(page, NEXT, PASSWORD)
  expect(answer.status, answer.text).toBe(200)
  expect(answer.body).not.toHaveProperty('token')
  expect(answer.cookies.map(({ name }) => name)).toContain('latchkey-session')
  await expectSignedIn(page)
})

test('of five concurrent password changes by one session exactly one succeeds @storage', async ({
  client,
  another,
}) => {
  const { username, token, stepUp } = await signUp(client)
  const clients = Array.from({ length: 5 }, () => another({ bearer: token, stepUp }))
  const answers = await Promise.all(
    clients.map((each, index) => changePassword(each, `password number ${index}`, PASSWORD)),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(4).fill(401)])
  const winner = answers.findIndex(({ status }) => status === 200)
  expect((await signInWithPassword(another(), username, `password number ${winner}`)).status).toBe(200)
  await expectSignedIn(another({ bearer: answers[winner]?.body.token }))
})

test('an invalid new password is answered 400 and changes nothing', async ({ client, another }) => {
  const { username } = await signUp(client)
  for (const password of ['', '1234567', 'é'.repeat(513), 7, null, undefined, '\ud800 lone half']) {
    const answer = await client.post('/api/i/password', { password, currentPassword: PASSWORD })
    expectError(answer, 400, 'invalid_request')
    expect(answer.body.fields).toMatchObject({ password: expect.stringMatching(/\S/) })
  }
  await expectSignedIn(client)
  expect((await signInWithPassword(another(), username, PASSWORD)).status).toBe(200)
})

test('every byte of a long password counts, both as the new and as the current password', async ({
  client,
  another,
}) => {
  const long = (end: string) => `${'é'.repeat(300)}${end}`
  const { username } = await signUp(client)
  expect((await changePassword(client, long('one'), PASSWORD)).status).toBe(200)
  // The session that replaces the old one comes without a step-up token.
  expect((await signInWithPassword(client, username, long('one'))).status).toBe(200)
  expectAuthenticationFailed(await signInWithPassword(another(), username, long('two')))
  expectAuthenticationFailed(await changePassword(client, NEXT, long('two')))
  expect((await changePassword(client, NEXT, long('one'))).status).toBe(200)
  expect((await signInWithPassword(another(), username, NEXT)).status).toBe(200)
})
