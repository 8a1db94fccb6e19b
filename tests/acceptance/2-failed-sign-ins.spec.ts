// Whoever cannot sign in reads "Authentication Failed", whatever the cause, and may try five times.
import {
  authenticate,
  authenticationOptions,
  createRecoveryCodes,
  PASSWORD,
  randomName,
  register,
  registrationOptions,
  signInWithPassword,
  signInWithRecoveryCode,
  signUp,
  signUpWithPasskey,
  WRONG_PASSWORD,
} from '../support/accounts'
import { Client } from '../support/client'
import { expectAuthenticationFailed, expectError, expectSignedIn, expectSignedOut } from '../support/expectations'
import { expect, test } from '../support/fixtures'
import { Authenticator } from '../support/webauthn/authenticator'
import type { Tampering } from '../support/webauthn/authenticator-data'

test('a wrong password, an unknown username and an account without a password are told the same, to the letter', async ({
  client,
  another,
  authenticator,
}) => {
  const { username } = await signUp(client)
  const { username: passwordless } = await signUpWithPasskey(another(), authenticator)
  const answers = [
    await signInWithPassword(another(), username, WRONG_PASSWORD),
    await signInWithPassword(another(), randomName(), WRONG_PASSWORD),
    await signInWithPassword(another(), passwordless, WRONG_PASSWORD),
  ]
  for (const answer of answers) expectAuthenticationFailed(answer)
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
  expect(new Set(answers.map(({ headers }) => Object.keys(headers).sort().join())).size).toBe(1)
})

test('a wrong recovery code, a used one and that of another account are told "Authentication Failed"', async ({
  client,
  another,
}) => {
  const { username } = await signUp(client)
  const [first = '', second = ''] = await createRecoveryCodes(client)
  const { username: other } = await signUp(another())
  expect((await signInWithRecoveryCode(another(), username, first)).status).toBe(200)
  expectAuthenticationFailed(await signInWithRecoveryCode(another(), username, first))
  expectAuthenticationFailed(await signInWithRecoveryCode(another(), other, second))
  expectAuthenticationFailed(await signInWithRecoveryCode(another(), username, 'AAAAA-AAAAA-AAAAA-AAAAA-AAAA'))
  expect((await signInWithRecoveryCode(another(), username, second)).status).toBe(200)
})

const faults: [what: string, tampering: Tampering][] = [
  ['of a page at another address', { origin: 'https://evil.example' }],
  ['for another site', { rpId: 'evil.example' }],
  ['in a frame of another site', { crossOrigin: true }],
  ['for a challenge that nobody gave', { challenge: 'AAAA' }],
  ['that was made for a registration', { type: 'webauthn.create' }],
  ['with a wrong signature', { corruptSignature: true }],
  ['without somebody at the device', { flags: { up: false } }],
  ['with the user handle of nobody', { userHandle: 'AAAA' }],
]
test('a passkey\'s response that is not what the server asked for is told "Authentication Failed"', async ({
  client,
  another,
  authenticator,
}) => {
  await signUpWithPasskey(client, authenticator)
  const browser = another()
  for (const [what, tampering] of faults)
    await test.step(what, async () => {
      expectAuthenticationFailed(await authenticate(browser, authenticator, undefined, tampering))
      await expectSignedOut(browser)
    })
  expect((await authenticate(browser, authenticator)).status).toBe(200)
})

test("a passkey's response counts once, and not for a challenge of the other ceremony", async ({
  client,
  another,
  authenticator,
}) => {
  await signUpWithPasskey(client, authenticator)
  const response = authenticator.get(await authenticationOptions(another()))
  expect((await another().post('/api/auth/login/verify', response)).status).toBe(200)
  expectAuthenticationFailed(await another().post('/api/auth/login/verify', response))
  const making = await registrationOptions(another(), randomName())
  const { challenge } = making
  expectAuthenticationFailed(await authenticate(another(), authenticator, undefined, { challenge }))
  const asking = await authenticationOptions(another())
  const made = authenticator.create({ ...making, challenge: asking.challenge })
  expectAuthenticationFailed(await another().post('/api/auth/register/verify', made))
})

test('a signature counter that does not grow is rejected, for the passkey may be a copy', async ({
  client,
  another,
  authenticator,
}) => {
  /** A passkey that its device keeps to itself: synced ones have a counter on each device. */
  const bound = (counter: number) => ({ counter, flags: { be: false, bs: false } })
  await signUpWithPasskey(client, authenticator, bound(5))
  expect((await authenticate(another(), authenticator, undefined, bound(6))).status).toBe(200)
  expectError(await authenticate(another(), authenticator, undefined, bound(6)), 401, 'passkey_copied')
})

test('a passkey that the account no longer has is 404, so that the browser can forget it', async ({
  client,
  another,
  authenticator,
}) => {
  await signUp(client)
  const { passkey } = (await register(client, authenticator)).body
  expect((await client.post('/api/i/passkeys/remove', { id: passkey.id })).status).toBe(204)
  expectError(await authenticate(another(), authenticator), 404, 'unknown_passkey')
})

/** Fails until the account is over its limit. */
async function lock(client: Client, username: string) {
  for (let time = 0; time < 5; time += 1)
    expectAuthenticationFailed(await signInWithPassword(client, username, WRONG_PASSWORD))
}

test('after five failures no password signs in for a while, not even the right one, and the answer says how long', async ({
  client,
  another,
}) => {
  const { username } = await signUp(client)
  await lock(another(), username)
  const answer = await signInWithPassword(another(), username)
  expectError(answer, 429, 'too_many_attempts')
  expect(answer.body.retryAfter).toBeGreaterThan(0)
  expect(answer.headers['retry-after']).toBe(String(answer.body.retryAfter))
  const { username: other } = await signUp(another())
  expect((await signInWithPassword(another(), other)).status).toBe(200)
})

test('while strangers have locked the password, the owner gets in by a known browser, a passkey or a recovery code', async ({
  client: known,
  another,
  server,
}) => {
  const { username } = await signUp(known)
  const authenticator = new Authenticator(server.origin)
  await register(known, authenticator)
  const [code] = await createRecoveryCodes(known)
  await known.post('/api/signout')
  await lock(another(), username)
  expectError(await signInWithPassword(another(), username), 429, 'too_many_attempts')

  expect((await signInWithPassword(known, username)).status).toBe(200)
  expect((await authenticate(another(), authenticator)).status).toBe(200)
  expect((await signInWithRecoveryCode(another(), username, code)).status).toBe(200)
})

test('after four failures the right password signs in, and the count begins again', async ({ client, another }) => {
  const { username } = await signUp(client)
  for (let round = 0; round < 2; round += 1) {
    for (let time = 0; time < 4; time += 1)
      expectAuthenticationFailed(await signInWithPassword(another(), username, WRONG_PASSWORD))
    expect((await signInWithPassword(another(), username)).status).toBe(200)
  }
})

test('an address may fail so often altogether, whichever accounts it tries, and others still sign in', async ({
  start,
}) => {
  const server = await start({ mode: 'api-only', env: { RATE_LIMIT_ADDRESS_MAX: '10', TRUSTED_PROXIES: '1' } })
  const at = (address: string) => new Client(server, { headers: { 'X-Forwarded-For': address } })
  const { username } = await signUp(at('203.0.113.1'))
  for (let time = 0; time < 10; time += 1)
    expectAuthenticationFailed(await signInWithPassword(at('203.0.113.2'), randomName(), WRONG_PASSWORD))
  expectError(await signInWithPassword(at('203.0.113.2'), username, PASSWORD), 429, 'too_many_attempts')
  const owner = at('203.0.113.1')
  expect((await signInWithPassword(owner, username, PASSWORD)).status).toBe(200)
  await expectSignedIn(owner)
})
