import { DatabaseSync } from '@photostructure/sqlite'
import { decodeCredentialPublicKey } from '@simplewebauthn/server/helpers'
import { authenticate, randomName, register, signUp } from '../../support/accounts'
import { expect, test } from '../../support/fixtures'
import type { Server } from '../../support/server/server'

const KNOWN = 'ea9b8d66-4d01-1d21-3ce4-b6b48cb575d4'

/** A passkey's row in the database file. */
function storedPasskey({ database }: Server, id: string) {
  const reader = new DatabaseSync(database, { readOnly: true })
  try {
    return reader.prepare('SELECT * FROM "Passkey" WHERE "id" = ?').get(id)
  } finally {
    reader.close()
  }
}

test('a registration stores every property of its passkey @promise', async ({ client, authenticator, server }) => {
  const { id: userId } = await signUp(client)
  const tampering = { aaguid: KNOWN, counter: 3, transports: ['internal' as const, 'hybrid' as const] }
  const { body } = await register(client, authenticator, undefined, tampering)
  const { id } = body.passkey
  const stored = storedPasskey(server, id)
  expect(id).toBe(authenticator.passkeys[0]?.id)
  expect(stored).toMatchObject({
    id: expect.stringMatching(/^[\w-]{43}$/),
    userId,
    name: 'Google Password Manager',
    counter: 3,
    transports: 'internal,hybrid',
    type: 'public-key',
    userHandle: userId,
    deviceType: 'multiDevice',
    backedUp: 1,
    aaguid: KNOWN,
    userVerified: 1,
    lastUsedAt: null,
  })
  expect(Math.abs(Date.parse(stored.createdAt) - Date.now())).toBeLessThan(30_000)
  const key = decodeCredentialPublicKey(new Uint8Array(stored.publicKey)) as unknown as Map<number, Uint8Array>
  const { x } = authenticator.passkeys[0]?.publicKey.export({ format: 'jwk' }) ?? {}
  expect(Buffer.from(key.get(-2) ?? []).toString('base64url')).toBe(x)
})

test('a passkey sign-in stores the counter, the backup state and the time of use', async ({
  client,
  authenticator,
  server,
}) => {
  const notYet = { counter: 3, flags: { be: true, bs: false } }
  const { body } = await register(client, authenticator, randomName(), notYet)
  expect(storedPasskey(server, body.passkey.id)).toMatchObject({ counter: 3, backedUp: 0, lastUsedAt: null })
  expect((await authenticate(client, authenticator, undefined, { counter: 9 })).status).toBe(200)
  const stored = storedPasskey(server, body.passkey.id)
  expect(stored).toMatchObject({ counter: 9, backedUp: 1 })
  expect(Math.abs(Date.parse(stored.lastUsedAt) - Date.now())).toBeLessThan(30_000)
})

test('a passkey sign-in stores and logs that the passkey has become a synced one', async ({
  client,
  authenticator,
  server,
}) => {
  const deviceBound = { flags: { be: false, bs: false } }
  const { body } = await register(client, authenticator, randomName(), deviceBound)
  expect(storedPasskey(server, body.passkey.id)).toMatchObject({ deviceType: 'singleDevice', backedUp: 0 })
  const changes = () =>
    server.output().match(new RegExp(`"backup_eligibility_changed".*"account":"${body.user.id}"`, 'g'))
  const isLogged = () => changes() !== null
  expect((await authenticate(client, authenticator, undefined, deviceBound)).status).toBe(200)
  expect(isLogged()).toBe(false)
  expect((await authenticate(client, authenticator)).status).toBe(200)
  expect(storedPasskey(server, body.passkey.id)).toMatchObject({ deviceType: 'multiDevice', backedUp: 1 })
  await expect.poll(isLogged).toBe(true)
  expect((await authenticate(client, authenticator, undefined, deviceBound)).status).toBe(200)
  expect(storedPasskey(server, body.passkey.id)).toMatchObject({ deviceType: 'singleDevice', backedUp: 0 })
})

test('a passkey counts as user-verifying once it has shown user verification, at registration or later', async ({
  client,
  authenticator,
  server,
}) => {
  const unverified = { flags: { uv: false } }
  const { body } = await register(client, authenticator, randomName(), unverified)
  const hasVerified = () => storedPasskey(server, body.passkey.id).userVerified
  expect(hasVerified()).toBe(0)
  for (const [tampering, expected] of [
    [unverified, 0],
    [{}, 1],
    [unverified, 1],
  ] as const) {
    expect((await authenticate(client, authenticator, undefined, tampering)).status).toBe(200)
    expect(hasVerified()).toBe(expected)
  }
})
