import {
  createRecoveryCodes,
  PASSWORD,
  randomName,
  register,
  registrationOptions,
  signInWithPassword,
  signUp,
} from '../../support/accounts'
import { type Answer, Client } from '../../support/client'
import { expectAuthenticationFailed, expectError, expectSignedIn, expectSignedOut } from '../../support/expectations'
import { test as base, expect } from '../../support/fixtures'
import { type Server, startServer } from '../../support/server/server'
import { often, takeLock } from '../../support/storage/database-lock'
import { executeSql } from '../../support/storage/sql'
import { Authenticator } from '../../support/webauthn/authenticator'

/** Two processes of one service. */
const test = base.extend<{ two: [Server, Server] }>({
  two: async ({ keep, startShared, entry }, use) => {
    const server = await startShared()
    const beside = await keep('beside', async (onEnd) => {
      const started = await startServer({ mode: entry, beside: server, env: { APP_ORIGIN: server.origin } })
      onEnd(() => started.stop())
      return started
    })
    await use([server, beside])
  },
})

/** Each inserts a row into a table that the test locks. */
const INSERTS: Record<string, (client: Client, authenticator: Authenticator) => Promise<() => Promise<Answer>>> = {
  RecoveryCode: async (client) => () => client.post('/api/i/recovery-codes'),
  Passkey: async (client, authenticator) => {
    const made = authenticator.create(await registrationOptions(client))
    return () => client.post('/api/auth/register/verify', made)
  },
}

/** Somebody with two sessions, the other of them at another process: in one, what they change waits without a connection. */
async function signInTwice(server: Server, beside: Server) {
  const [client, elsewhere] = [new Client(server), new Client(beside)]
  const { username } = await signUp(client)
  await signInWithPassword(elsewhere, username)
  return { client, elsewhere, username }
}

for (const [table, prepare] of Object.entries(INSERTS)) {
  test(`on PostgreSQL, an insert into ${table} that is held up does not land after a sign-out everywhere has answered`, {
    tag: '@networked',
  }, async ({ two: [server, beside] }) => {
    const url = server.databaseUrl
    const { client, elsewhere, username } = await signInTwice(server, beside)
    const insert = await prepare(client, new Authenticator(server.origin))

    const held = await takeLock(url, `LOCK TABLE "${table}" IN EXCLUSIVE MODE`)
    const inserting = insert()
    await held.untilWaiting(1)
    let answered = false
    const ending = elsewhere.post('/api/i/signout-everywhere').finally(() => {
      answered = true
    })
    await expect.poll(async () => answered || (await held.waiting()) === 2, often).toBe(true)
    // It waits for the insert, or the insert must fail.
    const answeredFirst = answered
    await held.release()
    const [inserted, ended] = await Promise.all([inserting, ending])

    expect(ended.status, ended.text).toBe(204)
    expect(inserted.status, inserted.text).toBe(answeredFirst ? 401 : 201)
    await signInWithPassword(client, username)
    const { passkeys, recoveryCodesLeft } = await expectSignedIn(client)
    expect(passkeys.length + recoveryCodesLeft > 0).toBe(inserted.status === 201)
    await createRecoveryCodes(client)
  })
}

/** Somebody with two sessions, of which `client` ends the other one and is held up. */
async function holdUpEnding(server: Server, beside: Server) {
  const { client, elsewhere } = await signInTwice(server, beside)
  const held = await takeLock(server.databaseUrl, 'SELECT "id" FROM "User" FOR UPDATE')
  const writing = client.post('/api/i/signout-everywhere', { exceptThis: true })
  await held.untilWaiting(1)
  return { client, elsewhere, held, writing }
}

test('on PostgreSQL, a write that is held up does not land after a sign-out has answered', {
  tag: '@networked',
}, async ({ two }) => {
  const { client, elsewhere, held, writing } = await holdUpEnding(...two)
  expect((await client.post('/api/signout')).status).toBe(204)
  await held.release()
  expect((await writing).status).toBe(401)
  await expectSignedIn(elsewhere)
})

/** Ends the account's other session in the list. */
async function endOther(client: Client): Promise<Answer> {
  const { body } = await client.post('/api/i/sessions')
  const id = body.sessions.find(({ current }: { current: boolean }) => !current).id
  return client.post('/api/i/sessions/revoke', { id })
}

test('on PostgreSQL, of two sessions that end each other at the same time one goes on', {
  tag: '@networked',
}, async ({ two }) => {
  const { client, elsewhere, held, writing } = await holdUpEnding(...two)
  const ending = endOther(elsewhere)
  await held.untilWaiting(2)
  await held.release()
  // Locks are given in the order in which they were asked for.
  expect((await writing).status).toBe(200)
  expectError(await ending, 401, 'not_signed_in')
  await expectSignedIn(client)
  await expectSignedOut(elsewhere)
})

test('on PostgreSQL, what one account changes at once occupies one connection', { tag: '@networked' }, async ({
  two: [server],
}) => {
  const [client, other] = [new Client(server), new Client(server)]
  await signUp(client)
  await signUp(other)
  const held = await takeLock(server.databaseUrl, 'SELECT "id" FROM "User" FOR UPDATE')
  const rename = () => client.post('/api/i/passkeys/rename', { id: 'AAAA', name: 'x' })
  const renaming = Array.from({ length: 8 }, rename)
  await held.untilWaiting(1)
  await expectSignedIn(other)
  expect(await held.waiting()).toBe(1)
  await held.release()
  for (const answer of await Promise.all(renaming)) expectError(answer, 404, 'not_found')
})

/** Makes insertions into a table wait, at the row, for the lock that this takes. */
async function holdInsertions(url: string, when: 'BEFORE' | 'AFTER', table: string) {
  const body = 'BEGIN PERFORM pg_advisory_xact_lock(1); RETURN NEW; END'
  executeSql(
    url,
    `CREATE OR REPLACE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS '${body}';
    CREATE TRIGGER wait ${when} INSERT ON "${table}" FOR EACH ROW EXECUTE FUNCTION wait()`,
  )
  const held = await takeLock(url, 'SELECT pg_advisory_xact_lock(1)')
  const release = async () => {
    await held.release()
    executeSql(url, `DROP TRIGGER wait ON "${table}"`)
  }
  return { ...held, release }
}

test('on PostgreSQL, a sign-out of a session that is just being replaced ends none', { tag: '@networked' }, async ({
  two: [server],
}) => {
  const [page, copy] = [new Client(server, { page: true }), new Client(server, { page: true })]
  await signUp(page)
  copy.jar.set('latchkey-session', page.jar.get('latchkey-session') ?? '')
  const held = await holdInsertions(server.databaseUrl, 'BEFORE', 'Session')
  const replacing = page.post('/api/i/signout-everywhere', { exceptThis: true })
  await held.untilWaiting(1)
  const signingOut = copy.post('/api/signout')
  await held.untilWaiting(2)
  await held.release()
  expect((await replacing).status).toBe(200)
  const answer = await signingOut
  expect(answer.status).toBe(204)
  expect(answer.headers).not.toHaveProperty('clear-site-data')
  await expectSignedIn(page)
})

test('on PostgreSQL, a listed session that is replaced while it is ended takes its successor along', {
  tag: '@networked',
}, async ({ two: [server] }) => {
  const url = server.databaseUrl
  const { client, elsewhere, username } = await signInTwice(server, server)

  // The session's token has been consumed by then, and nobody else sees that.
  const held = await holdInsertions(url, 'AFTER', 'ConsumedToken')
  const replacing = signInWithPassword(elsewhere, username)
  await held.untilWaiting(1)
  const ending = endOther(client)
  await held.untilWaiting(2)
  await held.release()
  expect((await replacing).status).toBe(200)
  expect((await ending).status).toBe(204)
  await expectSignedOut(elsewhere)
  await expectSignedIn(client)
})

test('on PostgreSQL, a sign-in that is held up does not outlive the password that is removed meanwhile', {
  tag: '@networked',
}, async ({ two: [server] }) => {
  const url = server.databaseUrl
  const [client, late] = [new Client(server), new Client(server)]
  const { username } = await signUp(client)
  await register(client, new Authenticator(server.origin))

  // The session's statement has read the account by then, and has not written.
  const held = await holdInsertions(url, 'BEFORE', 'Session')
  const signingIn = signInWithPassword(late, username, PASSWORD)
  await held.untilWaiting(1)
  let answered = false
  const removing = client.post('/api/i/password/remove').finally(() => {
    answered = true
  })
  await expect.poll(async () => answered || (await held.waiting()) === 2, often).toBe(true)
  await held.release()
  expect((await removing).status).toBe(204)
  await signingIn
  await expectSignedOut(late)
})

test('on PostgreSQL, a sign-up whose account is deleted before its session is written is answered as a failed sign-in', {
  tag: '@networked',
}, async ({ two: [server] }) => {
  const url = server.databaseUrl
  // The session's statement has read the account by then, and its foreign key is not checked.
  const held = await holdInsertions(url, 'BEFORE', 'Session')
  const username = randomName()
  const signingUp = new Client(server).post('/api/signup', { username, password: PASSWORD })
  await held.untilWaiting(1)
  executeSql(url, `DELETE FROM "User" WHERE "username" = '${username}'`)
  await held.release()
  expectAuthenticationFailed(await signingUp)
})
