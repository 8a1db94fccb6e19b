import {
  authenticate,
  changePassword,
  createRecoveryCodes,
  PASSWORD,
  register,
  signInWithPassword,
  signInWithRecoveryCode,
  signUp,
  signUpWithPasskey,
} from '../../support/accounts'
import { Client } from '../../support/client'
import { eventsOf } from '../../support/events'
import { expectAuthenticationFailed, expectError, expectSignedIn, expectSignedOut } from '../../support/expectations'
import { expect, test } from '../../support/fixtures'
import type { Server } from '../../support/server/server'
import { executeSql } from '../../support/storage/sql'
import { Authenticator } from '../../support/webauthn/authenticator'

const NEXT = 'a password for tomorrow'

test('changing the password revokes all sessions and opens a new one @promise', async ({ client, another }) => {
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

test('of five concurrent password changes by one session exactly one succeeds @storage @promise', async ({
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

test.describe('what somebody who knew the old password has added', () => {
  /** An account with a passkey and codes of its own, to which a thief has added others. */
  async function invaded(server: Server) {
    const [owner, thief] = [new Client(server), new Client(server)]
    const [own, stolen] = [new Authenticator(server.origin), new Authenticator(server.origin)]
    const { username } = await signUp(owner)
    expect((await register(owner, own)).status).toBe(201)
    expect((await signInWithPassword(thief, username)).status).toBe(200)
    expect((await register(thief, stolen)).status).toBe(201)
    const [code] = await createRecoveryCodes(thief)
    const change = (body: object = {}) =>
      owner.post('/api/i/password', { password: 'another password', currentPassword: PASSWORD, ...body })
    const passkeyOf = (authenticator: Authenticator) => authenticate(new Client(server), authenticator)
    const withCode = () => signInWithRecoveryCode(new Client(server), username, code)
    return { owner, thief, own, stolen, username, change, passkeyOf, withCode }
  }

  test('a password change removes the passkeys and codes that other sessions have added, and keeps the others @storage @promise', async ({
    server,
  }) => {
    const { owner, own, stolen, change, passkeyOf, withCode } = await invaded(server)
    expect((await change()).status).toBe(200)
    expectError(await passkeyOf(stolen), 404, 'unknown_passkey')
    expectAuthenticationFailed(await withCode())
    expect((await passkeyOf(own)).status).toBe(200)
    expect(await expectSignedIn(owner)).toMatchObject({ passkeys: [{ id: own.passkeys[0]?.id }], recoveryCodesLeft: 0 })
    const types = (await eventsOf(owner, 'changes')).map(({ type }) => type)
    expect(types.slice(0, 2).sort()).toEqual(['passkey_removed', 'password_changed'])
  })

  test('a password change keeps what its owner names', async ({ server }) => {
    const { stolen, change, passkeyOf, withCode } = await invaded(server)
    expectError(await change({ keepPasskeys: ['not an id'] }), 400, 'invalid_request')
    const keepPasskeys = [stolen.passkeys[0]?.id]
    expect((await change({ keepPasskeys, keepRecoveryCodes: true })).status).toBe(200)
    expect((await passkeyOf(stolen)).status).toBe(200)
    expect((await withCode()).status).toBe(200)
  })

  test('a password change keeps what was added before a notice that its owner has answered with an older passkey', async ({
    server,
  }) => {
    const { owner, own, stolen, change, passkeyOf, withCode } = await invaded(server)
    expect((await authenticate(owner, own)).status).toBe(200)
    // It was added long before: events of a new passkey's first minute may be of adding it.
    const at = new Date(Date.now() - 3_600_000)
    executeSql(
      server.databaseUrl,
      `UPDATE "Passkey" SET "createdAt" = '${at.toISOString()}' WHERE "id" = '${own.passkeys[0]?.id}'`,
    )
    const until = new Date().toISOString()
    expect((await owner.post('/api/i/notices/dismiss', { until })).status).toBe(200)
    expect((await change()).status).toBe(200)
    expect((await passkeyOf(stolen)).status).toBe(200)
    expect((await withCode()).status).toBe(200)
  })

  test('a first password removes nothing, since nobody can have known it', async ({ server, authenticator }) => {
    const [owner, elsewhere, other] = [new Client(server), new Client(server), new Authenticator(server.origin)]
    await signUpWithPasskey(owner, authenticator)
    expect((await authenticate(elsewhere, authenticator)).status).toBe(200)
    expect((await register(elsewhere, other)).status).toBe(201)
    await createRecoveryCodes(elsewhere)
    expect((await changePassword(owner, NEXT)).status).toBe(200)
    expect(await expectSignedIn(owner)).toMatchObject({ passkeys: [{}, {}], recoveryCodesLeft: 10 })
  })

  test('a password change keeps the passkey that opened its session', async ({ server }) => {
    const { username, stolen } = await invaded(server)
    const elsewhere = new Client(server)
    expect((await authenticate(elsewhere, stolen)).status).toBe(200)
    expect((await elsewhere.post('/api/i/password', { password: 'another password' })).status).toBe(200)
    expect(await expectSignedIn(elsewhere)).toMatchObject({ username })
    expect((await authenticate(elsewhere, stolen)).status).toBe(200)
  })
})
