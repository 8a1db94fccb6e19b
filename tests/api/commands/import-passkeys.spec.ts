import { randomBytes, randomUUID } from 'node:crypto'
import { hashSync } from 'bcryptjs'
import {
  authenticate,
  PASSWORD,
  randomName,
  register,
  registrationOptions,
  signInWithPassword,
} from '../../support/accounts'
import { Client } from '../../support/client'
import { expectAuthenticationFailed, expectSignedIn } from '../../support/expectations'
import { expect, test } from '../../support/fixtures'
import { importRows, strangePasskey } from '../../support/operator/account-imports'
import { takeLock } from '../../support/storage/database-lock'
import { Authenticator } from '../../support/webauthn/authenticator'

const newHandle = () => randomBytes(16).toString('base64url')

test('accounts imported with any id keep it, add a passkey and sign in with it', async ({ server, another }) => {
  const ids = ['1', '42', '43', `c${randomBytes(12).toString('hex')}`, randomUUID()]
  const rows = ids.map((id) => ({ id, username: randomName(), passwordHash: hashSync(PASSWORD, 4) }))
  expect(await importRows(server, rows)).toMatchObject({ code: 0, answer: { created: 5, existing: 0, refused: [] } })
  const handles: string[] = []
  for (const { id, username } of rows) {
    const client = another()
    expect((await signInWithPassword(client, username)).status).toBe(200)
    const authenticator = new Authenticator(server.origin)
    const options = await registrationOptions(client)
    expect((await register(client, authenticator)).status).toBe(201)
    const me = await expectSignedIn(client)
    expect(me).toMatchObject({ id, username, userHandle: options.user.id })
    expect(Buffer.from(me.userHandle, 'base64url').length).toBeGreaterThanOrEqual(16)
    expect(Buffer.from(me.userHandle, 'base64url').toString('base64url')).toBe(me.userHandle)
    handles.push(me.userHandle)
    const answer = await authenticate(another(), authenticator)
    expect(answer.body.user, answer.text).toMatchObject({ id, username })
    // A handle that is the bare ID belongs to nobody.
    if (me.userHandle !== id)
      expectAuthenticationFailed(await authenticate(another(), authenticator, undefined, { userHandle: id }))
  }
  expect(new Set(handles).size).toBe(5)
  // A UUID is canonical base64url of 27 bytes, so it is its own handle.
  expect(handles[4]).toBe(ids[4])
})

test('an imported passkey of each algorithm signs in under the handle of its row, or without one under that of its account', async ({
  server,
  another,
  authenticator,
}) => {
  for (const algorithm of ['EdDSA', 'RS256', 'ES256'] as const) {
    const handle = randomBytes(64).toString('base64url')
    const passkey = { ...strangePasskey(authenticator, handle, algorithm), userHandle: handle, name: 'Old phone' }
    const username = randomName()
    expect(await importRows(server, [{ username, passkeys: [passkey] }])).toMatchObject({ code: 0 })
    const client = another()
    expect((await authenticate(client, authenticator)).status, algorithm).toBe(200)
    const me = await expectSignedIn(client)
    expect(me).toMatchObject({ username, hasPassword: false, passkeys: [{ id: passkey.id, name: 'Old phone' }] })
    expect(me.userHandle).not.toBe(handle)
    expectAuthenticationFailed(await authenticate(another(), authenticator, undefined, { userHandle: me.userHandle }))
    // A new passkey is made under the account's handle.
    const other = new Authenticator(server.origin)
    expect((await register(client, other)).status).toBe(201)
    expect(other.passkeys[0]?.userHandle).toBe(me.userHandle)
  }
  const id = newHandle()
  const row = { id, username: randomName(), passkeys: [strangePasskey(authenticator, id)] }
  expect(await importRows(server, [row])).toMatchObject({ code: 0 })
  expectAuthenticationFailed(await authenticate(another(), authenticator, undefined, { userHandle: newHandle() }))
  expect((await authenticate(another(), authenticator)).body.user.id).toBe(id)
})

test('an imported passkey of unknown handle keeps the first that it shows, and takes no other', async ({
  server,
  another,
  authenticator,
}) => {
  const username = randomName()
  const handle = newHandle()
  const passkey = { ...strangePasskey(authenticator, handle), userHandle: null }
  expect(await importRows(server, [{ username, passkeys: [passkey] }])).toMatchObject({ code: 0 })
  const sign = (userHandle: string | null, name?: string, more = {}) =>
    authenticate(another(), authenticator, name, { userHandle, ...more })
  // Nothing is kept of a sign-in without a handle, or of one that is not verified, or of a handle in another spelling.
  expect((await sign(null, username)).status).toBe(200)
  expectAuthenticationFailed(await sign(newHandle(), undefined, { corruptSignature: true }))
  expectAuthenticationFailed(await sign('MR'))
  expectAuthenticationFailed(await sign(null))
  expect((await sign(handle)).body.user.username).toBe(username)
  expectAuthenticationFailed(await sign(newHandle()))
  expectAuthenticationFailed(await sign(newHandle(), username))
  for (const name of [undefined, username]) expect((await sign(handle, name)).status).toBe(200)
  expect((await sign(null, username)).status).toBe(200)
})

test('of two handles that an imported passkey shows at once only one is ever good', { tag: '@networked' }, async ({
  start,
}) => {
  const server = await start()
  const authenticator = new Authenticator(server.origin)
  const passkey = { ...strangePasskey(authenticator), userHandle: null }
  expect(await importRows(server, [{ username: randomName(), passkeys: [passkey] }])).toMatchObject({ code: 0 })
  const handles = [newHandle(), newHandle()]
  const signAll = () =>
    handles.map((userHandle) => authenticate(new Client(server), authenticator, undefined, { userHandle }))
  // Both read that the handle is unknown before either is stored.
  const held = await takeLock(server.databaseUrl, 'LOCK TABLE "Passkey" IN EXCLUSIVE MODE')
  const first = signAll()
  await held.untilWaiting(2)
  await held.release()
  const statuses = (await Promise.all(first)).map(({ status }) => status)
  expect([...statuses].sort()).toEqual([200, 401])
  expect((await Promise.all(signAll())).map(({ status }) => status)).toEqual(statuses)
})
