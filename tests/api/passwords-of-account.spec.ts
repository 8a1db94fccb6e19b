import { login, makeCodes, PASSWORD, recover, register, signIn, signUp, signUpWithPasskey } from '../accounts'
import type { Client } from '../client'
import { expectAuthenticationFailed, expectRefusal, expectSignedIn, expectSignedOut } from '../expectations'
import { expect, test } from '../fixtures'

const NEXT = 'a password for tomorrow'
const WRONG = 'a wrong password'

const change = (client: Client, password: string, currentPassword?: string) =>
  client.post('/api/i/password', { password, ...(currentPassword !== undefined && { currentPassword }) })

test('an account made with a passkey gets its first password', async ({ client, another, authenticator }) => {
  const { username } = await signUpWithPasskey(client, authenticator)
  expect((await expectSignedIn(client)).hasPassword).toBe(false)
  const answer = await change(client, NEXT)
  expect(answer.status, answer.text).toBe(200)
  expect((await expectSignedIn(client)).hasPassword).toBe(true)
  expect((await signIn(another(), username, NEXT)).status).toBe(200)
  expect((await login(another(), authenticator)).status).toBe(200)
})

test('a changed password ends every other session and opens a new one', async ({ client, another }) => {
  const { username, token } = await signUp(client)
  const elsewhere = another()
  await signIn(elsewhere, username)
  const answer = await change(client, NEXT, PASSWORD)
  expect(answer.status, answer.text).toBe(200)
  expect(answer.body).toMatchObject({ expiresAt: expect.any(String), token: client.jar.get('session') })
  await expectSignedOut(elsewhere)
  await expectSignedOut(another({ bearer: token }))
  expect((await expectSignedIn(client)).session.expiresAt).toBe(answer.body.expiresAt)
  expectAuthenticationFailed(await signIn(another(), username, PASSWORD))
  expect((await signIn(another(), username, NEXT)).status).toBe(200)
})

test('the answer to a page carries the new session in its cookie only', async ({ another }) => {
  const page = another({ page: true })
  await signUp(page)
  const answer = await change(page, NEXT, PASSWORD)
  expect(answer.status, answer.text).toBe(200)
  expect(answer.body).not.toHaveProperty('token')
  expect(answer.cookies.map(({ name }) => name)).toContain('session')
  await expectSignedIn(page)
})

test('who signed in by password must say the current one', async ({ client, another }) => {
  const { username } = await signUp(client)
  const missing = await change(client, NEXT)
  expectRefusal(missing, 400, 'invalid_request')
  expect(missing.body.fields).toEqual({ currentPassword: expect.stringMatching(/\S/) })
  expectAuthenticationFailed(await change(client, NEXT, WRONG))
  expectAuthenticationFailed(await change(client, NEXT, NEXT))
  await expectSignedIn(client)
  expect((await signIn(another(), username, PASSWORD)).status).toBe(200)
  expectAuthenticationFailed(await signIn(another(), username, NEXT))
})

for (const way of ['passkey', 'recovery code']) {
  test(`who signed in by ${way} need not say the current password`, async ({ client, another, authenticator }) => {
    const { username } = await signUp(client)
    expect((await register(client, authenticator)).status).toBe(201)
    const [code] = await makeCodes(client)
    const fresh = another()
    const signedIn = way === 'passkey' ? await login(fresh, authenticator) : await recover(fresh, username, code)
    expect(signedIn.status, signedIn.text).toBe(200)
    const answer = await change(fresh, NEXT)
    expect(answer.status, answer.text).toBe(200)
    await expectSignedOut(client)
    await expectSignedIn(fresh)
    expect((await signIn(another(), username, NEXT)).status).toBe(200)
  })
}

test('wrong current passwords are counted as sign-ins are, and with them', async ({ client, another }) => {
  const { username, token } = await signUp(client)
  // Somebody with a stolen session has no device cookie, and guesses on the account's own quota.
  const thief = () => another({ bearer: token })
  for (let time = 0; time < 5; time += 1) expectAuthenticationFailed(await change(thief(), NEXT, WRONG))
  const refused = await change(thief(), NEXT, PASSWORD)
  expectRefusal(refused, 429, 'too_many_attempts')
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  expectRefusal(await signIn(another(), username, PASSWORD), 429, 'too_many_attempts')
  // The owner's own browser is known, and goes on.
  expect((await change(client, NEXT, PASSWORD)).status).toBe(200)
})

test('of twenty guesses of the current password at once, five are tried', async ({ client, another }) => {
  const { token } = await signUp(client)
  const guesses = Array.from({ length: 20 }, () => change(another({ bearer: token }), NEXT, WRONG))
  const statuses = (await Promise.all(guesses)).map(({ status }) => status)
  expect(statuses.sort()).toEqual([...Array(5).fill(401), ...Array(15).fill(429)])
})

test('a password that will not do is 400, and nothing is lost', async ({ client, another }) => {
  const { username } = await signUp(client)
  for (const password of ['', '1234567', 'é'.repeat(513), 7, null, undefined, '\ud800 lone half']) {
    const answer = await client.post('/api/i/password', { password, currentPassword: PASSWORD })
    expectRefusal(answer, 400, 'invalid_request')
    expect(answer.body.fields).toMatchObject({ password: expect.stringMatching(/\S/) })
  }
  await expectSignedIn(client)
  expect((await signIn(another(), username, PASSWORD)).status).toBe(200)
})

test('every byte of a long password counts, the new one and the current one', async ({ client, another }) => {
  const long = (end: string) => `${'é'.repeat(300)}${end}`
  const { username } = await signUp(client)
  expect((await change(client, long('one'), PASSWORD)).status).toBe(200)
  expectAuthenticationFailed(await signIn(another(), username, long('two')))
  expectAuthenticationFailed(await change(client, NEXT, long('two')))
  expect((await change(client, NEXT, long('one'))).status).toBe(200)
  expect((await signIn(another(), username, NEXT)).status).toBe(200)
})

test('a browser known from before the change is a stranger after it, the one that changed it is not', async ({
  client,
  another,
}) => {
  const { username } = await signUp(client)
  const before = another()
  before.jar.set('device', client.jar.get('device') ?? '')
  expect((await change(client, NEXT, PASSWORD)).status).toBe(200)
  for (let time = 0; time < 5; time += 1) expectAuthenticationFailed(await signIn(another(), username, WRONG))
  expectRefusal(await signIn(before, username, NEXT), 429, 'too_many_attempts')
  await client.post('/api/signout')
  expect((await signIn(client, username, NEXT)).status).toBe(200)
})
