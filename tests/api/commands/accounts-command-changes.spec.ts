import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  authenticate,
  createRecoveryCodes,
  randomName,
  register,
  signInWithPassword,
  signUp,
  signUpWithPasskey,
} from '../../support/accounts'
import { Client } from '../../support/client'
import { eventsOf } from '../../support/events'
import { expectSignedIn } from '../../support/expectations'
import { expect, test } from '../../support/fixtures'
import { temporaryFolder } from '../../support/machine/temporary-folder'
import { importRows } from '../../support/operator/account-imports'
import { accounts, accountsJson, accountsWith } from '../../support/operator/accounts-command'
import { logLines } from '../../support/server/server-log'
import { withoutSchema } from '../../support/storage/postgres-programs'
import { executeSql } from '../../support/storage/sql'
import { Authenticator } from '../../support/webauthn/authenticator'

/** Each table with each that it refers to, as the schema says. */
function relations(): [string, string][] {
  const models = readFileSync('prisma/schema.prisma', 'utf8').matchAll(/^model (\w+) \{(.*?)^\}/gms)
  const found = [...models].flatMap(([, table = '', fields = '']) =>
    [...fields.matchAll(/(\w+)\?? +@relation\(fields/g)].map(([, parent = '']): [string, string] => [table, parent]),
  )
  return found.sort(([a, b], [c, d]) => (`${a} ${b}` < `${c} ${d}` ? -1 : 1))
}

test('accounts list has the newest accounts first, as many and as young as asked for, and stats counts accounts, ways in, and the sign-ups and sign-ins of each day @storage', async ({
  start,
}) => {
  const server = await start()
  const client = new Client(server)
  const first = await signUp(client)
  await createRecoveryCodes(client)
  const second = await signUpWithPasskey(new Client(server), new Authenticator(server.origin))
  for (let time = 0; time < 3; time += 1) await signInWithPassword(new Client(server), first.username)
  const stats = await accountsJson(server, 'stats')
  expect(stats).toMatchObject({ accounts: 2, methods: { pwd: 1, passkey: 1, recovery: 1 } })
  expect(stats.days).toHaveLength(30)
  // Around midnight the sum is that of two days.
  const sum = (field: string) =>
    stats.days.slice(-2).reduce((total: number, day: Record<string, number>) => total + (day[field] ?? 0), 0)
  expect([sum('signUps'), sum('signIns')]).toEqual([2, 3])
  expect(stats.days.at(-1).day).toMatch(/^\d{4}-\d\d-\d\d$/)
  expect((await accounts(server, 'stats')).stdout).toMatch(/^\d{4}-\d\d-\d\d .* #+$/m)

  executeSql(server.databaseUrl, `UPDATE "User" SET "disabled" = true WHERE "id" = '${first.id}'`)
  const { accounts: listed } = await accountsJson(server, 'list')
  const common = {
    ...{ id: expect.any(String), displayName: null, createdAt: expect.stringMatching(/^\d{4}-.*Z$/) },
    ...{ email: null, groups: [], lastActiveAt: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) },
  }
  expect(listed).toEqual([
    {
      ...common,
      username: second.username,
      passkeys: [expect.objectContaining({ name: expect.any(String), lastUsedAt: null })],
      hasPassword: false,
      disabled: false,
    },
    { ...common, username: first.username, passkeys: [], hasPassword: true, disabled: true },
  ])
  expect((await accountsJson(server, 'list', '--limit', '1')).accounts).toEqual(listed.slice(0, 1))
  const old = new Date(Date.now() - 8 * 86_400_000)
  const time = server.databaseUrl.startsWith('file:') ? old.getTime() : `'${old.toISOString()}'`
  executeSql(server.databaseUrl, `UPDATE "User" SET "createdAt" = ${time} WHERE "id" = '${first.id}'`)
  expect((await accountsJson(server, 'list', '--created-since', '7d')).accounts).toEqual(listed.slice(0, 1))
  expect((await accounts(server, 'list')).stdout).toMatch(new RegExp(`${first.username} .* disabled$`, 'm'))
})

test('accounts rename takes what sign-up would, and delete writes one line with a count', async ({
  server,
  client,
  another,
}) => {
  const { id } = await signUp(client)
  const { username: taken } = await signUp(another())
  for (const [wrong, sentence] of [
    [taken.toUpperCase(), /^This username is taken\.$/m],
    ['a b', /^Leave out the spaces\.$/m],
  ] as const) {
    const failed = await accounts(server, 'rename', id, wrong)
    expect(failed).toMatchObject({ code: 1, stdout: '' })
    expect(failed.stderr).toMatch(sentence)
  }
  const username = randomName()
  await accountsJson(server, 'rename', id, username)
  expect((await eventsOf(client, 'changes'))[0]).toMatchObject({ type: 'username_changed', method: 'operator' })
  const deleted = await accounts(server, 'delete', username, '--yes', '--json')
  expect(JSON.parse(deleted.stdout)).toMatchObject({ user: { id, username } })
  expect(logLines(deleted.stderr)).toEqual([
    expect.objectContaining({ event: 'account_deleted', account: id, method: 'operator', count: 1 }),
  ])
})

test('accounts name changes a display name, which commands print and an import brings back', async ({
  server,
  client,
}) => {
  const { id, username } = await signUp(client)
  const name = 'Ada "Byte" \\o/'
  const { user } = await accountsJson(server, 'name', username, ` ${name} `)
  expect(user).toMatchObject({ id, username, displayName: name })
  expect((await eventsOf(client, 'changes'))[0]).toMatchObject({ type: 'name_changed', method: 'operator' })
  for (const command of ['show', 'export'])
    expect((await accountsJson(server, command, id)).displayName, command).toBe(name)
  const failed = await accounts(server, 'name', id, '\u202eadA')
  expect(failed).toMatchObject({ code: 1, stdout: '', stderr: 'Use text without control characters.\n' })
  for (const words of [[id], [id, 'Ada', '--remove']])
    expect(await accounts(server, 'name', ...words)).toMatchObject({ code: 2, stdout: '' })
  expect(await accountsJson(server, 'name', id, '--remove')).toMatchObject({ user: { id, displayName: null } })

  const imported = randomName()
  const { answer } = await importRows(server, [
    { username: imported, displayName: name },
    { username: randomName(), displayName: '\u200b' },
  ])
  expect(answer).toMatchObject({
    created: 1,
    refused: [{ line: 2, reason: expect.stringMatching(/^displayName: must have 1 to 64 characters/) }],
  })
  expect((await accountsJson(server, 'show', imported)).displayName).toBe(name)
})

test('accounts export has all that is kept of a person, and nothing that lets anyone sign in', async ({
  server,
  client,
  authenticator,
}) => {
  const { id, username, token } = await signUp(client)
  await register(client, authenticator)
  const codes = await createRecoveryCodes(client)
  expect((await authenticate(client, authenticator)).status).toBe(200)
  const { code, stdout } = await accounts(server, 'export', username)
  expect(code).toBe(0)
  const kept = JSON.parse(stdout)
  const { passkeys, userHandle } = await expectSignedIn(client)
  expect(kept).toMatchObject({ id, username, userHandle, hasPassword: true, disabled: false, recoveryCodesLeft: 10 })
  expect(kept.passkeys).toMatchObject(passkeys)
  expect(kept.passkeys[0].publicKey).toMatch(/^[\w-]+$/)
  expect(kept.sessions.map(({ method }: { method: string }) => method).sort()).toEqual(['passkey', 'pwd'])
  expect(kept.events.map(({ type }: { type: string }) => type)).toEqual(
    expect.arrayContaining(['account_created', 'passkey_added', 'recovery_codes_made']),
  )
  for (const secret of ['$2', 'Hash', token, ...codes, ...codes.map((one) => one.replaceAll('-', ''))])
    expect(stdout).not.toContain(secret)
})

test('the accounts command prints names escaped that would turn the terminal, and JSON keeps them', async ({
  server,
  client,
  authenticator,
}) => {
  const { id } = await signUpWithPasskey(client, authenticator)
  // A name that was given before such names were rejected.
  const name = 'Key\u202e\u009b\u2028 👩\u200d💻'
  const kept = 'Key\\u202e\\u009b\\u2028 👩\u200d💻'
  executeSql(server.databaseUrl, `UPDATE "Passkey" SET "name" = '${name}' WHERE "userId" = '${id}'`)
  const answers = await Promise.all(
    [
      ['show', id],
      ['show', id, '--json'],
      ['list', '--json'],
      ['export', id],
    ].map((words) => accounts(server, ...words)),
  )
  for (const { stdout } of answers) {
    expect(stdout).toContain(kept)
    expect(stdout).not.toMatch(/[\u202e\u009b\u2028]/)
  }
  for (const { stdout } of [answers[1], answers[3]].flatMap((answer) => answer ?? []))
    expect(JSON.parse(stdout).passkeys).toMatchObject([{ name }])
})

test('accounts check finds rows of every table of PostgreSQL that refer to a row that is gone', {
  tag: '@networked',
}, async ({ start }) => {
  const server = await start()
  const later = Date.now() + 3_600_000
  const inserts = `
    INSERT INTO "Identifier" ("key", "userId") VALUES ('a', 'gone');
    INSERT INTO "EmailCode" ("userId", "rootId", "email", "expiresAt") VALUES ('gone', '', '', ${later});
    INSERT INTO "Recovery" ("digest", "userId", "browser", "expiresAt") VALUES ('a', 'gone', '', ${later});
    INSERT INTO "Membership" ("userId", "groupName") VALUES ('gone', 'gone');
    INSERT INTO "Passkey" ("id", "userId", "name", "publicKey", "counter", "transports", "deviceType", "backedUp",
      "aaguid", "userVerified") VALUES ('a', 'gone', '', '\\x00', 0, '', '', false, '', true);
    INSERT INTO "RecoveryCode" ("hash", "userId") VALUES ('a', 'gone');
    INSERT INTO "OperatorKey" ("name", "digest", "areas", "readOnly", "createdAt", "madeBy")
      VALUES ('a', 'a', '', false, 0, 'gone');
    INSERT INTO "Invitation" ("id", "groups", "createdAt", "expiresAt", "madeBy") VALUES ('a', '', 0, ${later}, 'gone');
    INSERT INTO "Event" ("id", "userId", "type", "at") VALUES ('a', 'gone', '', ${later});
    INSERT INTO "Session" ("id", "userId", "epoch", "method", "openedAt", "expiresAt") VALUES ('a', 'gone', 0, '', 0, ${later});
    INSERT INTO "Grant" ("id", "userId", "appId", "scopes", "createdAt") VALUES ('a', 'gone', 'gone', '', 0);
    INSERT INTO "Code" ("id", "hash", "grantId", "rootId", "redirectUri", "scopes", "amr", "authTime", "validUntil",
      "expiresAt") VALUES ('a', 'a', 'gone', '', '', '', '', 0, 0, ${later});
    INSERT INTO "AppIcon" ("appId", "digest", "bytes") VALUES ('gone', '', '\\x00');
    INSERT INTO "DeviceRequest" ("id", "hash", "userCode", "appId", "scopes", "address", "createdAt", "pause", "validUntil",
      "expiresAt") VALUES ('a', '', '', 'gone', '', '', 0, 0, 0, ${later});
    INSERT INTO "AppSession" ("rootId", "appId", "userId", "expiresAt") VALUES ('a', 'gone', 'gone', ${later})`
  // Triggers hold foreign keys.
  executeSql(server.databaseUrl, `SET session_replication_role = 'replica';${inserts}`)
  const { code, stdout } = await accounts(server, 'check', '--json')
  expect(code).toBe(1)
  const { ok, findings } = JSON.parse(stdout)
  expect(ok).toBe(false)
  expect(findings.sort()).toEqual([
    ...new Set(
      relations().map(([table, parent]) => `1 row of ${table} refers to a row of ${parent} that does not exist.`),
    ),
  ])
})

test('accounts check finds nothing wrong where PostgreSQL has the letters of Turkish', { tag: '@networked' }, async ({
  start,
  emptyStores,
}) => {
  const url = new URL(withoutSchema(`${emptyStores().DATABASE_URL}`))
  const name = `turkish_${randomBytes(4).toString('hex')}`
  executeSql(
    url.href,
    `CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8' LC_COLLATE 'C' LC_CTYPE 'C'
      LOCALE_PROVIDER icu ICU_LOCALE 'tr'`,
  )
  url.pathname = `/${name}`
  const server = await start({ env: { DATABASE_URL: url.href } })
  const { id } = await signUp(new Client(server), `IRIS_${randomName()}`.slice(0, 30))
  await accountsJson(server, 'email', `id:${id}`, `IRIS.${randomName()}@example.com`)
  expect(await accountsJson(server, 'check')).toEqual({ ok: true, findings: [] })
})

test('accounts check finds in a file what refers to a row that is gone, and that it is damaged, and exits with 1', async () => {
  const folder = temporaryFolder('accounts')
  const file = join(folder, 'latchkey.db')
  const env = { DATABASE_URL: `file:${file}` }
  expect(await accountsWith(env, ['check', '--json'])).toMatchObject({ code: 0, stdout: '{"ok":true,"findings":[]}\n' })
  // Foreign keys are off in a connection that does not ask for them.
  executeSql(
    env.DATABASE_URL,
    `PRAGMA foreign_keys = OFF; INSERT INTO "Identifier" ("key", "userId") VALUES ('a', 'gone')`,
  )
  expect(JSON.parse((await accountsWith(env, ['check', '--json'])).stdout)).toEqual({
    ok: false,
    findings: ['1 row of Identifier refers to a row of User that does not exist.'],
  })
  // The last page, which is that of some table or index.
  const bytes = readFileSync(file)
  writeFileSync(file, bytes.fill(0xff, bytes.length - 4096))
  const { code, stdout } = await accountsWith(env, ['check', '--json'])
  expect(code).toBe(1)
  const { ok, findings } = JSON.parse(stdout)
  expect({ ok, findings }).toEqual({
    ok: false,
    findings: expect.arrayContaining([expect.stringContaining('damaged')]),
  })
})
