import {
  authenticate,
  authenticationOptions,
  randomName,
  register,
  registrationOptions,
  signUp,
} from '../../support/accounts'
import { Client } from '../../support/client'
import { expectAuthenticationFailed, expectError } from '../../support/expectations'
import { test as base, expect } from '../../support/fixtures'
import { Authenticator } from '../../support/webauthn/authenticator'

const ANDROID = 'android:apk-key-hash:kz9qqFBXWaBrV9ZeIbmgWg4QgRQf3bbVGL3cMOTyEhs'
const FINGERPRINT = `${'AB:'.repeat(31)}CD`

const NATIVE = {
  APP_ORIGIN: `https://id.example.com,${ANDROID}`,
  RP_ID: 'example.com',
  ANDROID_APPS: `com.example.app:${FINGERPRINT},com.example.app:${'ef'.repeat(32)},com.example.tv:${FINGERPRINT}`,
  APPLE_APPS: 'A1B2C3D4E5.com.example.app, A1B2C3D4E5.com.example.app.beta',
  APP_NAME: 'Ælf & Co',
}

/** A server that native apps may use passkeys of. */
const test = base.extend({
  server: async ({ startShared }, use) => use(await startShared({ env: NATIVE })),
})

test('an Android app signs up, signs in and adds a passkey under its own origin', async ({ server }) => {
  const authenticator = new Authenticator(server.origin)
  const app = new Client(server)
  const options = await registrationOptions(app, randomName())
  expect(options.rp.name).toBe(NATIVE.APP_NAME)
  const made = authenticator.create(options, { origin: ANDROID })
  expect((await app.post('/api/auth/register/verify', made)).status).toBe(201)
  expect((await authenticate(new Client(server), authenticator, undefined, { origin: ANDROID })).status).toBe(200)
  expect((await register(app, new Authenticator(server.origin), undefined, { origin: ANDROID })).status).toBe(201)
  // The same passkey signs in at the pages.
  expect((await authenticate(new Client(server), authenticator)).status).toBe(200)
})

test('a passkey response of another Android app is rejected', async ({ server }) => {
  const authenticator = new Authenticator(server.origin)
  const others = [
    `android:apk-key-hash:${'A'.repeat(43)}`,
    `${ANDROID}x`,
    ANDROID.toUpperCase(),
    'android:apk-key-hash:',
    'null',
  ]
  for (const origin of others) {
    const made = authenticator.create(await registrationOptions(new Client(server), randomName()), { origin })
    expectAuthenticationFailed(await new Client(server).post('/api/auth/register/verify', made))
  }
  expect((await register(new Client(server), authenticator, randomName())).status).toBe(201)
  for (const origin of others) {
    const assertion = authenticator.get(await authenticationOptions(new Client(server)), { origin })
    expectAuthenticationFailed(await new Client(server).post('/api/auth/login/verify', assertion))
  }
})

test('an Android origin is no Origin, no issuer and no related origin', async ({ server }) => {
  const client = new Client(server)
  await signUp(client)
  for (const Origin of [ANDROID, 'android:', 'null'])
    expectError(await client.post('/api/i', undefined, { headers: { Origin } }), 403, 'foreign_origin')
  expect((await new Client(server).get('/.well-known/webauthn')).body).toEqual({ origins: [] })
  const page = 'https://id.example.com/passkeys'
  expect((await new Client(server).get('/.well-known/passkey-endpoints')).body).toEqual({
    enroll: page,
    manage: page,
  })
})

const statement = (packageName: string, fingerprints: string[]) => ({
  relation: ['delegate_permission/common.get_login_creds'],
  target: { namespace: 'android_app', package_name: packageName, sha256_cert_fingerprints: fingerprints },
})

test('Android and Apple are told which apps may use the passkeys', async ({ server }) => {
  const android = await new Client(server).get('/.well-known/assetlinks.json')
  expect(android.status).toBe(200)
  expect(android.headers['content-type']).toBe('application/json')
  expect(android.body).toEqual([
    statement('com.example.app', [FINGERPRINT, `${'EF:'.repeat(31)}EF`]),
    statement('com.example.tv', [FINGERPRINT]),
  ])
  const apple = await new Client(server).get('/.well-known/apple-app-site-association')
  expect(apple.status).toBe(200)
  expect(apple.headers['content-type']).toBe('application/json')
  expect(apple.body).toEqual({
    webcredentials: { apps: ['A1B2C3D4E5.com.example.app', 'A1B2C3D4E5.com.example.app.beta'] },
  })
})
