import { randomBytes } from 'node:crypto'
import {
  changeUsername,
  PASSWORD,
  randomName,
  registrationOptions,
  signInWithPassword,
  signUp,
} from '../../support/accounts'
import { Client } from '../../support/client'
import { expectAuthenticationFailed, expectError } from '../../support/expectations'
import { expect, test } from '../../support/fixtures'
import { importRows } from '../../support/operator/account-imports'
import { accounts, accountsJson } from '../../support/operator/accounts-command'
import type { Server } from '../../support/server/server'
import { takeLock } from '../../support/storage/database-lock'
import { executeSql, readSql } from '../../support/storage/sql'
import { Authenticator } from '../../support/webauthn/authenticator'

/** Every way in which somebody could take a username, several times at once. */
async function tryToTake(server: Server, username: string, another: () => Client) {
  const [one, two] = [another(), another()]
  await signUp(one)
  await signUp(two)
  const byPasskey = async (name: string) => {
    const client = another()
    const answer = await client.post('/api/auth/register/options', { username: name })
    if (answer.status !== 200) return answer
    return client.post('/api/auth/register/verify', new Authenticator(server.origin).create(answer.body))
  }
  return Promise.all([
    ...[username, username.toUpperCase(), username].map((name) =>
      another().post('/api/signup', { username: name, password: PASSWORD }),
    ),
    ...[one, two, one].map((client) => changeUsername(client, username)),
    ...[username, username.toUpperCase(), username, username].map(byPasskey),
  ])
}

/** Gives an account former usernames, as many renames would. */
function giveFormer(server: Server, { username, id }: { username: string; id: string }, count: number) {
  const rows = Array.from({ length: count }, (_, index) => `('${username}-${index}', '${id}', false, false, true)`)
  executeSql(
    server.databaseUrl,
    `INSERT INTO "Identifier" ("key", "userId", "username", "email", "former") VALUES ${rows.join(', ')}`,
  )
}

test.describe('a username that was given up by renaming', () => {
  test('a former username is taken for everybody else, by sign-up, rename and registration, ten at once @storage @promise', async ({
    server,
    client,
    another,
  }) => {
    const { username, id } = await signUp(client)
    const next = randomName()
    expect((await changeUsername(client, next)).status).toBe(200)
    for (const answer of await tryToTake(server, username, another)) expectError(answer, 409, 'username_taken')
    expect((await signInWithPassword(another(), next)).body.user.id).toBe(id)
    expectAuthenticationFailed(await signInWithPassword(another(), username))
  })

  test('a former username is rejected in a passkey registration that began before it was given up', async ({
    server,
    client,
    another,
  }) => {
    const { username } = await signUp(client)
    const stranger = another()
    const wanted = randomName()
    const options = await registrationOptions(stranger, wanted)
    expect((await changeUsername(client, wanted)).status).toBe(200)
    expect((await changeUsername(client, username)).status).toBe(200)
    const answer = await stranger.post('/api/auth/register/verify', new Authenticator(server.origin).create(options))
    expectError(answer, 409, 'username_taken')
  })

  test('a former username can be taken again by its owner, who keeps the one in between, and is in their export', async ({
    server,
    client,
    another,
  }) => {
    const { username } = await signUp(client)
    const between = randomName()
    for (const name of [between, username, between, username])
      expect((await changeUsername(client, name)).status).toBe(200)
    const other = another()
    await signUp(other)
    for (const name of [username, between]) expectError(await changeUsername(other, name), 409, 'username_taken')
    expect((await accountsJson(server, 'export', username)).formerUsernames).toEqual([between])
  })

  test('a former username can be given to somebody else by an operator or an import, and its owner cannot take it back', async ({
    server,
    client,
    another,
  }) => {
    const { username } = await signUp(client)
    const [between, current] = [randomName(), randomName()]
    for (const name of [between, current]) expect((await changeUsername(client, name)).status).toBe(200)
    const other = another()
    const { id } = await signUp(other)
    expect(await accountsJson(server, 'rename', id, username)).toMatchObject({ user: { id, username } })
    expect(await importRows(server, [{ username: between }])).toMatchObject({ code: 0, answer: { created: 1 } })
    for (const name of [username, between]) expectError(await changeUsername(client, name), 409, 'username_taken')
    // One that is in use stays its owner's.
    const rejected = await accounts(server, 'rename', id, current)
    expect(rejected).toMatchObject({ code: 1, stdout: '' })
    expect(rejected.stderr).toContain('This username is taken.')
  })

  test('an account has a hundred former usernames at most, and its email address is none of them', async ({
    server,
    client,
  }) => {
    const { username, id } = await signUp(client)
    giveFormer(server, { username, id }, 98)
    await accountsJson(server, 'email', id, `${username}@example.com`)
    expect((await changeUsername(client, randomName())).status).toBe(200)
    const rejected = await changeUsername(client, randomName())
    expectError(rejected, 400, 'invalid_request')
    expect(rejected.body.fields).toEqual({ username: expect.stringContaining('100') })
    for (const own of [`${username}-7`, `${username}-7`.toUpperCase(), username])
      expect((await changeUsername(client, own)).status).toBe(200)
  })

  test('an operator can rename an account beyond the limit of former usernames, and its owner can take any of them again', async ({
    server,
    client,
    another,
  }) => {
    const { username, id } = await signUp(client)
    const { username: taken } = await signUp(another())
    giveFormer(server, { username, id }, 99)
    const rejected = await accounts(server, 'rename', id, taken)
    expect(rejected).toMatchObject({ code: 1, stdout: '' })
    expect(rejected.stderr).toContain('This username is taken.')
    await accountsJson(server, 'rename', id, randomName())
    expect((await changeUsername(client, username)).status).toBe(200)
    expectError(await changeUsername(client, randomName()), 400, 'invalid_request')
  })
})

test.describe("a deleted account's username", () => {
  test("a deleted account's username, former ones included, stays taken for 90 days, also for ten who try at once and while the secret is changed @storage @promise", async ({
    start,
  }) => {
    const server = await start()
    const client = new Client(server)
    const { username: former } = await signUp(client)
    const username = randomName()
    expect((await changeUsername(client, username)).status).toBe(200)
    expect((await client.post('/api/i/delete')).status).toBe(204)
    const deletedAt = Date.now()
    for (const name of [username, former])
      for (const answer of await tryToTake(server, name, () => new Client(server)))
        expectError(answer, 409, 'username_taken')
    // Only digests are kept.
    const url = server.databaseUrl
    expect(readSql(url, `SELECT COUNT(*) FROM "Identifier" WHERE "key" IN ('${username}', '${former}')`)).toEqual(['0'])
    expect(readSql(url, `SELECT COUNT(*) FROM "RetiredUsername" WHERE "digest" LIKE '%user-%'`)).toEqual(['0'])
    const ends = readSql(url, 'SELECT "expiresAt" FROM "RetiredUsername"').map(Number)
    expect(ends).toHaveLength(2)
    for (const end of ends) expect(Math.abs(end - deletedAt - 90 * 86_400_000)).toBeLessThan(60_000)

    const env = { JWT_SECRET: randomBytes(48).toString('base64'), JWT_SECRET_PREVIOUS: server.secret }
    const after = new Client(await start({ beside: server, env }))
    expectError(await after.post('/api/signup', { username, password: PASSWORD }), 409, 'username_taken')
    expectError(await after.post('/api/auth/register/options', { username }), 409, 'username_taken')
    // Free then, before anything has removed its row.
    executeSql(url, `UPDATE "RetiredUsername" SET "expiresAt" = ${Date.now() - 1}`)
    await signUp(after, username)
  })

  test("a deleted account's username can be given to somebody by an operator, by rename or import, and is theirs from then on", async ({
    server,
    client,
    another,
  }) => {
    const [gone, alsoGone] = [another(), another()]
    const [{ username: one }, { username: two }] = [await signUp(another()), await signUp(gone)]
    const { username: three } = await signUp(alsoGone)
    for (const leaving of [gone, alsoGone]) expect((await leaving.post('/api/i/delete')).status).toBe(204)
    await accounts(server, 'delete', one, '--yes')
    const { id } = await signUp(client)
    expect(await accountsJson(server, 'rename', id, one)).toMatchObject({ user: { id, username: one } })
    const next = randomName()
    for (const name of [next, one]) expect((await changeUsername(client, name)).status).toBe(200)
    expect(await importRows(server, [{ username: two }])).toMatchObject({ code: 0, answer: { created: 1 } })
    for (const name of [two, three]) expectError(await changeUsername(client, name), 409, 'username_taken')
  })

  test("an account's username stays taken for whoever signs up while it is being deleted, however often they try @storage", async ({
    server,
    another,
  }) => {
    const client = another()
    const { username, id } = await signUp(client)
    const [deletion, ...signUps] = await Promise.all([
      client.post('/api/i/delete'),
      ...Array.from({ length: 3 }, () => another().post('/api/signup', { username, password: PASSWORD })),
    ])
    expect(deletion?.status).toBe(204)
    for (const answer of signUps) expectError(answer, 409, 'username_taken')
    // The code is 2 for an id that begins with a hyphen and stands alone.
    expect(await accounts(server, 'show', `id:${id}`)).toMatchObject({ code: 1, stdout: '' })
  })

  test("a deleted account's username is kept on PostgreSQL although it was given up, and another taken, while the account was being deleted", {
    tag: '@networked',
  }, async ({ server, client, start }) => {
    const url = server.databaseUrl
    const { username, id } = await signUp(client)
    const elsewhere = new Client(
      await start({ beside: server, env: { APP_ORIGIN: server.origin, RATE_LIMIT_ADDRESS_MAX: '100000' } }),
    )
    await signInWithPassword(elsewhere, username)
    const next = randomName()
    const held = await takeLock(url, `SELECT 1 FROM "User" WHERE "id" = '${id}' FOR UPDATE`)
    const renaming = changeUsername(client, next)
    await held.untilWaiting(1)
    // It has read the usernames, and waits behind the other, which another process runs.
    const deleting = elsewhere.post('/api/i/delete')
    await held.untilWaiting(2)
    await held.release()
    expect((await renaming).status).toBe(200)
    expect((await deleting).status).toBe(204)
    for (const name of [username, next]) {
      const answer = await new Client(server).post('/api/signup', { username: name, password: PASSWORD })
      expectError(answer, 409, 'username_taken')
    }
  })
})
