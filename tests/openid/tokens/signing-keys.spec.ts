import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { calculateJwkThumbprint } from 'jose'
import { signUp } from '../../support/accounts'
import { Client } from '../../support/client'
import { expectError } from '../../support/expectations'
import { test as base, expect } from '../../support/fixtures'
import { temporaryFolder } from '../../support/machine/temporary-folder'
import { CALLBACK, registerApp } from '../../support/openid/fixtures'
import { Flow } from '../../support/openid/flow'
import { openSealed } from '../../support/openid/signing-keys'
import { accounts, accountsJson, accountsWith } from '../../support/operator/accounts-command'
import type { Server } from '../../support/server/server'
import { executeSql, readSql } from '../../support/storage/sql'

/** Settings of a database with nothing in it, without a server. */
const test = base.extend<{ store: { DATABASE_URL: string; JWT_SECRET: string } }>({
  store: async ({ emptyStores }, use) => {
    const folder = temporaryFolder('keys')
    const { DATABASE_URL = `file:${join(folder, 'latchkey.db')}` } = emptyStores()
    await use({ DATABASE_URL, JWT_SECRET: randomBytes(48).toString('base64') })
  },
})

const addApp = (env: object, name: string) => accountsWith({ ...env }, ['app', 'add', name, CALLBACK])

async function keySet(server: Server) {
  const answer = await new Client(server).get('/.well-known/jwks.json')
  expect(answer.status, answer.text).toBe(200)
  expect(answer.headers['access-control-allow-origin']).toBe('*')
  return answer.body.keys.filter(({ kty }: { kty: string }) => kty === 'RSA')
}

test('commands that register the first apps at once agree on one signing key @storage', async ({ store }) => {
  // The first command makes the database.
  expect((await accountsWith(store, ['app', 'list'])).code).toBe(0)
  const answers = await Promise.all(['a', 'b', 'c'].map((name) => addApp(store, name)))
  expect(answers.map(({ code }) => code)).toEqual([0, 0, 0])
  expect(readSql(store.DATABASE_URL, 'SELECT "sequence" FROM "SigningKey"')).toEqual(['1'])
})

test('a rotation before the first app makes the first key', async ({ store }) => {
  const { code, stderr } = await accountsWith(store, ['signing-key', 'rotate'])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(readSql(store.DATABASE_URL, 'SELECT "sequence" FROM "SigningKey"')).toEqual(['1'])
})

test('the signing key has 2048 bits and is sealed under a key derived from JWT_SECRET, bound to its kid', async ({
  store,
}) => {
  expect((await addApp(store, 'a')).code).toBe(0)
  const { kid, jwk, privateKey } = openSealed(store.DATABASE_URL, store.JWT_SECRET)
  expect(privateKey.asymmetricKeyDetails?.modulusLength).toBe(2048)
  expect(await calculateJwkThumbprint(jwk as { kty: string })).toBe(kid)
  expect(() => openSealed(store.DATABASE_URL, randomBytes(48).toString('base64'))).toThrow()
})

test('the key set has the signing key from the first app on, public members alone, no GET makes one, and no failure changes or caches it', async ({
  start,
}) => {
  const server = await start()
  expect(await keySet(server)).toEqual([])
  expect(readSql(server.databaseUrl, 'SELECT "kid" FROM "SigningKey"')).toEqual([])
  await accountsJson(server, 'app', 'add', 'a', CALLBACK)
  const [key, ...others] = await keySet(server)
  expect(others).toEqual([])
  expect(key).toEqual({
    kty: 'RSA',
    n: expect.any(String),
    e: 'AQAB',
    kid: expect.any(String),
    alg: 'RS256',
    use: 'sig',
  })
  await accountsJson(server, 'app', 'add', 'b', CALLBACK)
  expect(await keySet(server)).toEqual([key])

  const rotated = await accountsJson(server, 'signing-key', 'rotate')
  expect(Date.parse(rotated.signsFrom)).toBeGreaterThan(Date.now() + 23.9 * 3_600_000)
  expect((await keySet(server)).map(({ kid }: { kid: string }) => kid)).toEqual([rotated.kid, key.kid])
  const published = await keySet(server)
  executeSql(
    server.databaseUrl,
    `CREATE TRIGGER "fail" BEFORE DELETE ON "SigningKey" BEGIN SELECT RAISE(ABORT, 'planted'); END`,
  )
  expect((await accounts(server, 'signing-key', 'rotate', '--now')).code).toBe(1)
  expect(await keySet(server)).toEqual(published)
  executeSql(server.databaseUrl, 'DROP TRIGGER "fail"')
  const atOnce = await accountsJson(server, 'signing-key', 'rotate', '--now')
  expect(Date.parse(atOnce.signsFrom)).toBeLessThanOrEqual(Date.now())
  expect((await keySet(server)).map(({ kid }: { kid: string }) => kid)).toEqual([atOnce.kid])

  executeSql(server.databaseUrl, 'DROP TABLE "SigningKey"')
  const answer = await new Client(server).get('/.well-known/jwks.json')
  expectError(answer, 500, 'internal_error')
  expect(answer.headers['cache-control']).toBe('no-store')
  await expect.poll(() => server.output()).toContain(`"requestId":"${answer.headers['x-request-id']}"`)
})

test('a key that JWT_SECRET_PREVIOUS opens is sealed anew at the start, and one that nothing opens is left, logged with what to do, and another signs', async ({
  start,
}) => {
  const first = await start()
  const app = await registerApp(first, CALLBACK)
  const url = first.databaseUrl
  const before = openSealed(url, first.secret)
  const secret = randomBytes(48).toString('base64')
  const second = await start({ env: { ...first.stores, JWT_SECRET: secret, JWT_SECRET_PREVIOUS: first.secret } })
  const after = openSealed(url, secret)
  expect([after.kid, after.jwk]).toEqual([before.kid, before.jwk])
  expect(await keySet(second)).toHaveLength(1)

  const third = await start({ env: { ...first.stores } })
  const client = new Client(third)
  await signUp(client)
  const { claims } = await new Flow(client, app).signIn()
  expect(claims.aud).toBe(app.id)
  expect(third.output()).toContain('signing-key rotate --now')
  expect(await keySet(third)).toHaveLength(2)
})
