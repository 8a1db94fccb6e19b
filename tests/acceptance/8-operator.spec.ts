// An operator's day with `npm run accounts`, beside the running server.
import { rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { hashSync } from 'bcryptjs'
import {
  authenticate,
  createRecoveryCodes,
  PASSWORD,
  randomName,
  register,
  signInWithPassword,
  signInWithRecoveryCode,
  signUp,
} from '../support/accounts'
import { Client } from '../support/client'
import { expectAuthenticationFailed, expectError, expectSignedIn, expectSignedOut } from '../support/expectations'
import { expect, test } from '../support/fixtures'
import { temporaryFolder } from '../support/machine/temporary-folder'
import { accounts, accountsJson, accountsWith } from '../support/operator/accounts-command'
import { settingsOf } from '../support/operator/command'
import { runInKeptProcess } from '../support/operator/kept-process'
import { JWT_SECRET } from '../support/secret'

test('without any settings the server makes its database and a secret, which only their owner can read', async ({
  start,
}) => {
  const server = await start({ env: { JWT_SECRET: undefined, APP_ORIGIN: undefined } })
  const secret = join(dirname(server.database), 'jwt-secret')
  for (const file of [server.database, secret]) expect(statSync(file).mode & 0o077, file).toBe(0)
  const client = new Client(server)
  await signUp(client)
  await server.restart()
  await expectSignedIn(client)
  expect((await client.get('/api/health')).status).toBe(200)
})

test('the doctor says what is wrong with the settings and how to write them, and exits with 1', async () => {
  const doctor = (settings: Record<string, string>) => {
    const DATABASE_URL = `file:${join(temporaryFolder('doctor'), 'latchkey.db')}`
    const own = { PATH: process.env.PATH, NODE_ENV: 'production', DATABASE_URL, ...settings }
    return runInKeptProcess({ program: 'doctor', settings: own, words: [], input: '' })
  }
  const bad = await doctor({ JWT_SECRET: 'too short', BCRYPT_COST: 'a lot' })
  expect(bad.code).toBe(1)
  expect(bad.stdout).toMatch(/JWT_SECRET.*32/)
  expect(bad.stdout).toMatch(/BCRYPT_COST/)
  const good = await doctor({ JWT_SECRET, APP_ORIGIN: 'https://id.example.com' })
  expect(good.stdout).not.toContain('FAIL')
  expect(good.code).toBe(0)
})

test('invite prints a link that is good for one account, where nobody else can sign up', async ({ start }) => {
  const server = await start({ mode: 'api-only', env: { SIGN_UP: 'invited' } })
  const { invitations } = await accountsJson(server, 'invite')
  const [{ url }] = invitations
  const invitation = new URL(url).hash.replace('#invitation=', '')
  const signUpWith = (given?: string) =>
    new Client(server).post('/api/signup', { username: randomName(), password: PASSWORD, invitation: given })
  expectError(await signUpWith(), 403, 'sign_up_closed')
  expect((await signUpWith(invitation)).status).toBe(201)
  expectError(await signUpWith(invitation), 403, 'sign_up_closed')
})

test('show and list find an account, and never a credential', async ({ server, client }) => {
  const { id, username } = await signUp(client)
  const shown = await accountsJson(server, 'show', username.toUpperCase())
  expect(shown).toMatchObject({ id, username, hasPassword: true, disabled: false })
  expect(shown.sessions).toHaveLength(1)
  expect(JSON.stringify(shown)).not.toContain('$2')
  expect((await accounts(server, 'list')).stdout).toContain(username)
  const { code, stderr } = await accounts(server, 'show', randomName())
  expect(code).toBe(1)
  expect(stderr).toMatch(/no account/i)
})

test('disable closes an account at once by every way in, and enable opens it again', async ({
  server,
  client,
  another,
  authenticator,
}) => {
  const { username } = await signUp(client)
  await register(client, authenticator)
  const [code] = await createRecoveryCodes(client)
  await accountsJson(server, 'disable', username)
  await expectSignedOut(client)
  expectError(await signInWithPassword(another(), username), 403, 'account_disabled')
  expectError(await authenticate(another(), authenticator), 403, 'account_disabled')
  expectError(await signInWithRecoveryCode(another(), username, code), 403, 'account_disabled')
  expectAuthenticationFailed(await signInWithPassword(another(), username, 'a wrong password'))
  await accountsJson(server, 'enable', username)
  await expectSignedOut(client)
  expect((await signInWithPassword(another(), username)).status).toBe(200)
})

test('recovery-code lets in somebody who has lost everything, once', async ({ server, client, another }) => {
  const { username } = await signUp(client)
  const { code } = await accountsJson(server, 'recovery-code', username)
  expect((await signInWithRecoveryCode(another(), username, code)).status).toBe(200)
  expectAuthenticationFailed(await signInWithRecoveryCode(another(), username, code))
})

test('rename changes a username, and the sessions go on', async ({ server, client, another }) => {
  const { username } = await signUp(client)
  const name = randomName()
  await accountsJson(server, 'rename', username, name)
  expect((await expectSignedIn(client)).username).toBe(name)
  expect((await signInWithPassword(another(), name)).status).toBe(200)
  expectAuthenticationFailed(await signInWithPassword(another(), username))
})

test('delete removes an account, only if it is meant', async ({ server, client, another }) => {
  const { username } = await signUp(client)
  expect((await accounts(server, 'delete', username)).code).not.toBe(0)
  await expectSignedIn(client)
  expect((await accounts(server, 'delete', username, '--yes')).code).toBe(0)
  await expectSignedOut(client)
  expectAuthenticationFailed(await signInWithPassword(another(), username))
})

test('import takes the accounts of another product with their hashes, and people sign in as before', async ({
  server,
  another,
}) => {
  const [username, file] = [randomName(), join(temporaryFolder('import'), 'people.ndjson')]
  writeFileSync(file, `${JSON.stringify({ username, passwordHash: hashSync('as it was before', 4) })}\n`)
  const { code, stderr } = await accounts(server, 'import', file)
  expect(code, stderr).toBe(0)
  expect((await signInWithPassword(another(), username, 'as it was before')).status).toBe(200)
  expectAuthenticationFailed(await signInWithPassword(another(), username, 'as it was never'))
})

test('a backup brings the accounts back after the database is lost, and revives no session', async ({ start }) => {
  const server = await start({ mode: 'api-only' })
  const client = new Client(server)
  const { username } = await signUp(client)
  const file = join(temporaryFolder('backup'), 'backup.db')
  await accountsJson(server, 'backup', file)
  await server.kill('SIGKILL')
  for (const end of ['', '-wal', '-shm']) rmSync(`${server.database}${end}`, { force: true })
  const restored = await accountsWith(settingsOf(server), ['restore', file, '--yes'])
  expect(restored.code, restored.stderr).toBe(0)
  await server.restart()
  await expectSignedOut(client)
  expect((await signInWithPassword(client, username)).status).toBe(200)
})
