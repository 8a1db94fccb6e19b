import { type CallerOf, type Operation, rows } from '@/lib/api/endpoints'
import {
  authenticate,
  createRecoveryCodes,
  PASSWORD,
  randomName,
  register,
  signInWithPassword,
  signInWithRecoveryCode,
  signUp,
} from '../../support/accounts'
import type { Client } from '../../support/client'
import { eventsOf } from '../../support/events'
import { expectError, expectSignedIn } from '../../support/expectations'
import { expect, test } from '../../support/fixtures'
import { ageStepUp, resign } from '../../support/tokens/tokens'
import type { Authenticator } from '../../support/webauthn/authenticator'

type StepUpPath = {
  [O in Operation]: CallerOf<O> extends 'step-up' | 'step-up-if-session'
    ? O extends `POST ${infer P}`
      ? P
      : never
    : never
}[Operation]

/** A valid body for each endpoint that requires a step-up token, and the status of success. */
const CHANGES: Record<StepUpPath, { body?: (passkey?: string) => object; done: number }> = {
  '/api/i/password': { body: () => ({ password: 'another good password', currentPassword: PASSWORD }), done: 200 },
  '/api/i/password/remove': { done: 204 },
  '/api/i/username': { body: () => ({ username: randomName() }), done: 200 },
  // This server sends no letters.
  '/api/i/email': { body: () => ({ email: `${randomName()}@example.com` }), done: 404 },
  '/api/i/email/remove': { done: 204 },
  '/api/i/passkeys/remove': { body: (id) => ({ id }), done: 204 },
  '/api/i/recovery-codes': { done: 201 },
  '/api/i/notices/dismiss': { body: () => ({ until: new Date().toISOString() }), done: 200 },
  '/api/i/delete': { done: 204 },
  '/api/auth/register/options': { body: () => ({}), done: 200 },
}

const guarded = rows.filter(({ caller }) => caller === 'step-up' || caller === 'step-up-if-session')

/** An account with a password, a passkey and recovery codes. */
async function prepare(client: Client, authenticator: Authenticator) {
  const { username } = await signUp(client)
  expect((await register(client, authenticator)).status).toBe(201)
  return { username, passkey: authenticator.passkeys[0]?.id, codes: await createRecoveryCodes(client) }
}

for (const { path } of guarded) {
  const { body, done } = CHANGES[path as StepUpPath]

  test(`${path} answers 403 without a step-up token of this session, changes nothing, and takes one of almost ten minutes @promise`, async ({
    client,
    another,
    authenticator,
    server,
  }) => {
    const { username, passkey, codes } = await prepare(client, authenticator)
    const before = await expectSignedIn(client)
    const own = client.stepUp ?? ''
    const elsewhere = another()
    await signInWithPassword(elsewhere, username)
    const stranger = await signUp(another())
    const forged = await resign(own, 'x'.repeat(64))
    const asSession = await resign(own, server.secret, { keyOf: 'session' })
    const session = client.jar.get('latchkey-session') ?? ''
    for (const stepUp of [undefined, '', elsewhere.stepUp, stranger.stepUp, forged, asSession, session]) {
      client.stepUp = stepUp
      const answer = await client.post(path, body?.(passkey))
      expectError(answer, 403, 'reauthentication_required')
      expect(answer.cookies).toEqual([])
    }
    client.stepUp = own
    await ageStepUp(client, server, 601)
    expectError(await client.post(path, body?.(passkey)), 403, 'reauthentication_required')
    expect(await expectSignedIn(client)).toEqual(before)
    expect((await signInWithPassword(another(), username)).status).toBe(200)
    expect((await authenticate(another(), authenticator)).status).toBe(200)
    expect((await signInWithRecoveryCode(another(), username, codes[0])).status).toBe(200)
    client.stepUp = own
    await ageStepUp(client, server, 590)
    const answer = await client.post(path, body?.(passkey))
    expect(answer.status, answer.text).toBe(done)
  })
}

test('reading the account and renaming a passkey require no reauthentication', async ({ client, authenticator }) => {
  const { passkey } = await prepare(client, authenticator)
  client.stepUp = undefined
  const answer = await client.post('/api/i/passkeys/rename', { id: passkey, name: 'Old phone' })
  expect(answer.status, answer.text).toBe(204)
  expect((await expectSignedIn(client)).passkeys).toMatchObject([{ id: passkey, name: 'Old phone' }])
  expect(await eventsOf(client)).not.toEqual([])
})

test('every endpoint of accounts checks who calls before it looks at the fields of the body @promise', async ({
  client,
  another,
}) => {
  await signUp(client)
  const withoutStepUp = another({ bearer: client.jar.get('latchkey-session') ?? '' })
  const raw = { raw: '[]', headers: { 'Content-Type': 'application/json' } }
  const ofAccounts = rows.filter(
    ({ caller, usesRecovery }) =>
      ['session', 'session-and-maybe-step-up', 'step-up', 'step-up-if-session'].includes(caller) && !usesRecovery,
  )
  for (const { path, caller, body } of ofAccounts) {
    const stranger = await another().post(path, undefined, raw)
    if (caller === 'step-up-if-session') expectError(stranger, 400, 'invalid_request')
    else expectError(stranger, 401, 'not_signed_in')
    if (caller.startsWith('step-up'))
      expectError(await withoutStepUp.post(path, undefined, raw), 403, 'reauthentication_required')
    if (body) expectError(await client.post(path, undefined, raw), 400, 'invalid_request')
  }
  await expectSignedIn(client)
})
