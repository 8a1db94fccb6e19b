import {
  authenticate,
  createRecoveryCodes,
  register,
  signInWithPassword,
  signInWithRecoveryCode,
  signUp,
  signUpWithPasskey,
} from '../../support/accounts'
import { Client } from '../../support/client'
import { eventsOf } from '../../support/events'
import { expectAuthenticationFailed, expectError, expectSignedIn, expectSignedOut } from '../../support/expectations'
import { expect, test } from '../../support/openid/fixtures'
import { Flow } from '../../support/openid/flow'
import { accounts, accountsJson } from '../../support/operator/accounts-command'
import { createAdministrator } from '../../support/operator/administrators'
import { executeSql } from '../../support/storage/sql'
import { Authenticator } from '../../support/webauthn/authenticator'

test("an administrator's recovery code is one, signs in once within 72 hours, and ends the owner's own", async ({
  server,
}) => {
  const administrator = await createAdministrator(server)
  const person = new Client(server)
  const { id, username } = await signUp(person)
  const [own, used] = await createRecoveryCodes(person)
  const intruder = new Client(server)
  expect((await signInWithRecoveryCode(intruder, username, used)).status).toBe(200)
  const make = () => administrator.client.post('/api/admin/accounts/recovery-code', { id })
  const { status, body } = await make()
  expect([status, body]).toEqual([201, { code: expect.any(String), expiresAt: expect.any(String) }])
  expect(Math.abs(Date.parse(body.expiresAt) - Date.now() - 72 * 3_600_000)).toBeLessThan(60_000)
  expect((await expectSignedIn(person)).recoveryCodesLeft).toBe(1)
  expectAuthenticationFailed(await signInWithRecoveryCode(new Client(server), username, own))
  // What the old codes opened ends with them.
  await expectSignedOut(intruder)
  const lost = new Client(server)
  expect((await signInWithRecoveryCode(lost, username, body.code)).status).toBe(200)
  // It leads to new credentials.
  expect((await register(lost, new Authenticator(server.origin))).status).toBe(201)
  expectAuthenticationFailed(await signInWithRecoveryCode(new Client(server), username, body.code))

  const late = (await make()).body.code
  executeSql(server.databaseUrl, `UPDATE "RecoveryCode" SET "expiresAt" = ${Date.now() - 1} WHERE "userId" = '${id}'`)
  expectAuthenticationFailed(await signInWithRecoveryCode(new Client(server), username, late))
  expect((await expectSignedIn(person)).recoveryCodesLeft).toBe(0)
  expect(await accountsJson(server, 'show', username)).toMatchObject({
    recoveryCodesLeft: 0,
    recoveryCodesMadeAt: null,
  })
  // The person's own ten are made afterwards, and end what an operator made.
  const unused = (await make()).body.code
  expect(await createRecoveryCodes(person)).toHaveLength(10)
  expectAuthenticationFailed(await signInWithRecoveryCode(new Client(server), username, unused))
  expect((await accounts(server, 'recovery-code', username)).stdout).toMatch(
    /^[0-9A-HJKMNP-TV-Z]{4}(-[0-9A-HJKMNP-TV-Z]{4}){3}\nIt signs in once, until .*Z\.\n$/,
  )
  const { log } = (await administrator.client.post('/api/admin/log', { account: id })).body
  expect(log.map(({ what }: { what: string }) => what)).toEqual(Array(4).fill('recovery_codes_made'))
})

test('an administrator makes a recovery code for another one, never for themselves, and it ends with their own rights @promise', async ({
  server,
}) => {
  const [leaving, other] = [await createAdministrator(server), await createAdministrator(server)]
  const make = (id: string) => leaving.client.post('/api/admin/accounts/recovery-code', { id })
  expectError(await make(leaving.id), 403, 'not_allowed')
  expectError(await make('nobody'), 404, 'not_found')
  const { code } = (await make(other.id)).body
  expect((await signInWithRecoveryCode(new Client(server), other.username, code)).status).toBe(200)
  const unused = (await make(other.id)).body.code
  await accountsJson(server, 'group', 'remove', 'admins', `id:${leaving.id}`)
  expectAuthenticationFailed(await signInWithRecoveryCode(new Client(server), other.username, unused))
})

test('an operator removes one passkey of somebody, with what it opened, and nothing else', async ({ server, app }) => {
  const { client: administrator } = await createAdministrator(server)
  const [lost, kept] = [new Client(server), new Client(server)]
  const authenticator = new Authenticator(server.origin)
  const { id, username } = await signUpWithPasskey(lost, authenticator)
  const { refresh_token: refresh } = await new Flow(lost, app).lastingTokens()
  const { code } = await accountsJson(server, 'recovery-code', username)
  expect((await signInWithRecoveryCode(kept, username, code)).status).toBe(200)
  expect((await register(kept, new Authenticator(server.origin))).status).toBe(201)
  const [passkey] = (await expectSignedIn(lost)).passkeys
  const remove = (body: object) => administrator.post('/api/admin/accounts/remove-passkey', body)

  const stranger = await signUpWithPasskey(new Client(server), new Authenticator(server.origin))
  for (const wrong of [
    { id, passkey: 'unknown' },
    { id: stranger.id, passkey: passkey?.id },
  ])
    expectError(await remove(wrong), 404, 'not_found')
  await expectSignedIn(lost)
  expect((await remove({ id, passkey: passkey?.id })).body.user).toMatchObject({ id, username })
  await expectSignedOut(lost)
  expect((await authenticate(new Client(server), authenticator)).status).toBe(404)
  const refreshed = await new Flow(lost, app).refresh(refresh)
  expect([refreshed.status, refreshed.body.error]).toEqual([400, 'invalid_grant'])
  const { passkeys } = await expectSignedIn(kept)
  expect(passkeys).toHaveLength(1)
  expect(await eventsOf(kept, 'changes')).toContainEqual(
    expect.objectContaining({ type: 'passkey_removed', method: 'operator' }),
  )

  expect((await accounts(server, 'remove-passkey', username, 'unknown')).stderr).toContain('has no passkey "unknown"')
  // Also the last one.
  expect(await accountsJson(server, 'remove-passkey', username, passkeys[0]?.id ?? '')).toMatchObject({ user: { id } })
  expect((await accountsJson(server, 'show', username)).passkeys).toEqual([])
})

test('an administrator ends one session of somebody, and nothing else', async ({ server, app }) => {
  const { client: administrator } = await createAdministrator(server)
  const [lost, kept] = [new Client(server), new Client(server)]
  const { id, username } = await signUp(lost)
  const { refresh_token: refresh } = await new Flow(lost, app).lastingTokens()
  expect((await signInWithPassword(kept, username)).status).toBe(200)
  const { sessions } = (await lost.post('/api/i/sessions')).body
  const session = sessions.find(({ current }: { current: boolean }) => current).id
  const end = (body: object) => administrator.post('/api/admin/accounts/end-session', body)

  const stranger = await signUp(new Client(server))
  for (const wrong of [
    { id, session: 'unknown' },
    { id: stranger.id, session },
  ])
    expectError(await end(wrong), 404, 'not_found')
  await expectSignedIn(lost)
  expect((await end({ id, session })).body.user).toMatchObject({ id, username })
  await expectSignedOut(lost)
  const refreshed = await new Flow(lost, app).refresh(refresh)
  expect([refreshed.status, refreshed.body.error]).toEqual([400, 'invalid_grant'])
  await expectSignedIn(kept)
  expect((await eventsOf(kept, 'changes'))[0]).toMatchObject({ type: 'session_revoked', method: 'operator' })
  expectError(await end({ id, session }), 404, 'not_found')
})
