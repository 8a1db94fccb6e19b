import { hashSync } from 'bcryptjs'
import {
  authenticate,
  createRecoveryCodes,
  PASSWORD,
  randomName,
  signInWithPassword,
  signInWithRecoveryCode,
  signUpWithPasskey,
} from '../../support/accounts'
import { Client } from '../../support/client'
import { expectError, expectSignedIn } from '../../support/expectations'
import { test as base, expect } from '../../support/fixtures'
import { executeSql } from '../../support/storage/sql'

const OFF = { PASSWORDS: 'off' }
const test = base.extend({
  server: async ({ startShared }, use) => use(await startShared({ env: OFF })),
})

const PATHS = ['/api/signup', '/api/signin', '/api/i/password', '/api/i/password/remove']

test('with PASSWORDS=off the password endpoints are not found, whatever is sent @promise', async ({
  client,
  authenticator,
}) => {
  await signUpWithPasskey(client, authenticator)
  for (const path of PATHS) {
    for (const body of [undefined, {}, { username: randomName(), password: PASSWORD }])
      expectError(await client.post(path, body), 404, 'not_found')
    expectError(await client.post(path, undefined, { raw: 'no JSON' }), 404, 'not_found')
    const headers = { Origin: 'https://evil.example' }
    expectError(await client.post(path, {}, { headers }), 403, 'foreign_origin')
  }
  expect((await client.post('/api/i')).status).toBe(200)
})

test('with PASSWORDS=off passkeys and recovery codes sign up and in', async ({ client, another, authenticator }) => {
  const { username } = await signUpWithPasskey(client, authenticator)
  const [code] = await createRecoveryCodes(client)
  expect((await authenticate(another(), authenticator)).status).toBe(200)
  expect((await signInWithRecoveryCode(another(), username, code)).status).toBe(200)
})

test('with PASSWORDS=off a password that was set before is no way in', async ({
  server,
  client,
  another,
  authenticator,
}) => {
  const { username, id } = await signUpWithPasskey(client, authenticator)
  const hash = hashSync(PASSWORD, 4)
  executeSql(server.databaseUrl, `UPDATE "User" SET "passwordHash" = '${hash}' WHERE "id" = '${id}'`)
  expectError(await signInWithPassword(another(), username), 404, 'not_found')
  expect((await expectSignedIn(client)).hasPassword).toBe(false)
  const [passkey] = authenticator.passkeys
  expectError(await client.post('/api/i/passkeys/remove', { id: passkey?.id }), 409, 'last_way_in')
})

test('with PASSWORDS=off the API description lists no password endpoints', async ({ client }) => {
  const { body } = await client.get('/api/openapi.json')
  for (const path of PATHS) expect(body.paths).not.toHaveProperty([path])
  expect(body.paths).toHaveProperty(['/api/signin/recovery'])
})

test('with PASSWORDS=off there is no address for changing the password', { tag: '@pages' }, async ({ start }) => {
  for (const mode of ['node', 'next'] as const) {
    const client = new Client(await start({ mode, env: OFF }))
    expectError(await client.get('/.well-known/change-password'), 404, 'not_found')
  }
})
