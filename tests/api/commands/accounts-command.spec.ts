import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { hashSync } from 'bcryptjs'
import { createRecoveryCodes, PASSWORD, randomName, register, signInWithPassword, signUp } from '../../support/accounts'
import { Client } from '../../support/client'
import { eventsOf } from '../../support/events'
import { expectSignedIn, expectSignedOut } from '../../support/expectations'
import { expect, test } from '../../support/fixtures'
import { needs } from '../../support/machine/needs'
import { temporaryFolder } from '../../support/machine/temporary-folder'
import { importRows } from '../../support/operator/account-imports'
import { accounts, accountsJson, accountsOnTerminal, accountsWith } from '../../support/operator/accounts-command'
import { type Finished, settingsOf } from '../../support/operator/command'
import { JWT_SECRET } from '../../support/secret'
import { logLines } from '../../support/server/server-log'
import { executeSql } from '../../support/storage/sql'

const emptyDatabase = () => `file:${join(temporaryFolder('accounts'), 'latchkey.db')}`

/** A failure is a sentence on standard error and nothing on standard output. */
function expectFailure({ code, stdout, stderr }: Finished, sentence: RegExp) {
  expect({ code, stdout }, stderr).toEqual({ code: 1, stdout: '' })
  expect(stderr).toMatch(sentence)
  expect(stderr.trim().split('\n')).toHaveLength(1)
}

test('accounts show finds an account by its id or its username in any case', async ({
  server,
  client,
  authenticator,
}) => {
  // Ids, and usernames that are older than the rule against it, may begin with a hyphen, as options do.
  const [id, username] = [`-${randomName()}`, `--${randomName()}`]
  const today = () => new Date().toISOString().slice(0, 10)
  const before = today()
  await importRows(server, [{ id, username, passwordHash: hashSync(PASSWORD, 4) }])
  expect((await signInWithPassword(client, username)).status).toBe(200)
  await register(client, authenticator)
  await createRecoveryCodes(client)
  const shown = await accountsJson(server, 'show', username)
  const body = await expectSignedIn(client)
  expect(shown).toMatchObject({
    id,
    username,
    createdAt: body.createdAt,
    hasPassword: true,
    disabled: false,
    passkeys: body.passkeys,
    recoveryCodesLeft: 10,
    userHandle: body.userHandle,
    sessions: [{ method: 'pwd', browser: null, lastActiveAt: expect.any(String) }],
  })
  expect([before, today()]).toContain(shown.sessions[0].lastActiveAt)
  expect(shown.events).toEqual(await eventsOf(client))
  for (const reference of [id, username.toUpperCase(), `id:${id}`, `name:${username}`])
    expect(await accountsJson(server, 'show', reference)).toEqual(shown)
  const { code, stdout } = await accounts(server, 'show', username)
  expect(code).toBe(0)
  expect(stdout).toContain(`ID              ${id}`)
})

test('the accounts command fails with both accounts if the argument is the id of one and the username of the other', async ({
  server,
  client,
}) => {
  const [id, username] = [randomName(), randomName()]
  await importRows(server, [{ id, username }])
  const namesake = await signUp(client, id)
  expectFailure(
    await accounts(server, 'show', id),
    new RegExp(`the ID of the account ${username} and the username of the account ${namesake.id}`),
  )
  expect(await accountsJson(server, 'show', `id:${id}`)).toMatchObject({ id })
  expect(await accountsJson(server, 'show', `name:${id}`)).toMatchObject({ id: namesake.id })
})

test('the accounts command exits with 2 if it is typed wrong, and with 0 for help', async () => {
  const wrong = [
    [],
    ['no-such-command'],
    ['show'],
    ['show', 'a', '--bogus'],
    ['list', '--limit', '0'],
    ['list', '--limit', '-5'],
    ['list', '--created-since', 'never'],
    ['sign-out', 'a', '--all'],
  ]
  const DATABASE_URL = emptyDatabase()
  const finished = await Promise.all(wrong.map((words) => accountsWith({ DATABASE_URL }, words)))
  for (const { code, stdout, stderr } of finished) {
    expect({ code, stdout }, stderr).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(/\S/)
    expect(stderr).not.toContain('\0')
  }
  const help = await accountsWith({}, ['help', 'sign-out'])
  expect(help).toMatchObject({ code: 0, stderr: '' })
  expect(help.stdout).toContain('--all')
})

test('a word where an account is expected names one, whatever option it looks like', async ({ server, client }) => {
  const wrong = [
    ['disable', '--help'],
    ['delete', '--yes'],
    ['rename', '-h', '--json'],
    ['show', '--', '--help'],
  ]
  wrong.push(['show', '--json', '--help'], ['sign-out', '--yes'])
  const finished = await Promise.all(wrong.map((words) => accounts(server, ...words)))
  expect(finished.map(({ code, stdout }) => [code, stdout])).toEqual(wrong.map(() => [2, '']))
  expect(finished[0]?.stderr).toMatch(/^There is no account "--help"\./)

  const [id, other] = [randomName(), randomName()]
  const passwordHash = hashSync(PASSWORD, 4)
  const rows = [
    { id, username: '--help', passwordHash },
    { id: other, username: '--all' },
  ]
  expect(await importRows(server, rows)).toMatchObject({ code: 0, answer: { created: 2 } })
  expect((await signInWithPassword(client, '--help')).status).toBe(200)
  expect(await accountsJson(server, 'disable', '--yes', '--help')).toMatchObject({ user: { id } })
  await expectSignedOut(client)
  // It may mean one account or all.
  expectFailure(await accounts(server, 'sign-out', '--all', '--yes'), new RegExp(`Say id:${other}`))
  const name = randomName()
  expect(await accountsJson(server, 'rename', '--help', name)).toMatchObject({ user: { id, username: name } })
  expectFailure(await accounts(server, 'rename', name, '--help'), /^Begin with a letter or a number\./)
  expect(await accountsJson(server, 'delete', 'name:--all', '--yes')).toMatchObject({ user: { id: other } })
})

test('accounts sign-out ends the sessions of one account and leaves an event and a line in the security log', async ({
  server,
  client,
  another,
}) => {
  const { id, username, createdAt } = (await signUp(client)).answer.body.user
  const other = another()
  await signUp(other)
  const finished = await accounts(server, 'sign-out', id, '--json')
  expect(finished.code, finished.stderr).toBe(0)
  expect(JSON.parse(finished.stdout)).toEqual({ user: { id, username, displayName: null, createdAt } })
  await expectSignedOut(client)
  await expectSignedIn(other)
  expect(logLines(finished.stderr)).toEqual([
    expect.objectContaining({
      event: 'signed_out_everywhere',
      outcome: 'success',
      account: id,
      method: 'operator',
      address: null,
    }),
  ])
  expect((await signInWithPassword(client, username)).status).toBe(200)
  const [event] = await eventsOf(client, 'changes')
  expect(event).toMatchObject({ type: 'signed_out_everywhere', method: 'operator', browser: null })
})

test('accounts sign-out --all ends every session and writes one line with the count and no event @storage', async ({
  start,
}) => {
  const server = await start()
  const clients = [new Client(server), new Client(server)]
  const [first] = await Promise.all(clients.map((client) => signUp(client)))
  expectFailure(await accounts(server, 'sign-out', '--all'), /no terminal to ask on, so add --yes/)
  for (const client of clients) await expectSignedIn(client)

  const finished = await accounts(server, 'sign-out', '--all', '--yes', '--json')
  expect(JSON.parse(finished.stdout)).toEqual({ count: 2 })
  for (const client of clients) await expectSignedOut(client)
  expect(logLines(finished.stderr)).toEqual([
    expect.objectContaining({ event: 'signed_out_everywhere', account: null, method: 'operator', count: 2 }),
  ])
  const [client] = clients
  if (client && first) {
    await signInWithPassword(client, first.username)
    expect(await eventsOf(client, 'changes')).toEqual([])
  }
})

test('accounts delete asks on a terminal and changes nothing unless the answer is yes', async ({ server, client }) => {
  const { username } = await signUp(client)
  const answering = (answer: string) => accountsOnTerminal(server, `delete ${username}`, answer)
  needs('script(1)')
  // Ctrl+D, which is no answer.
  const closed = await answering('\u0004')
  expect([closed.code, closed.stdout]).toEqual([1, expect.stringContaining('Nothing was changed.')])

  await expectSignedIn(client)
  const agreed = await answering('yes\r')
  expect([agreed.code, agreed.stdout]).toEqual([0, expect.stringContaining(`${username} is deleted.`)])
  await expectSignedOut(client)
})

test('the accounts command creates a database where there is none, and changes none of an older or newer version @storage', async ({
  emptyStores,
  storage,
}) => {
  const DATABASE_URL = (storage === 'networked' && emptyStores().DATABASE_URL) || emptyDatabase()
  const env = { DATABASE_URL, JWT_SECRET }
  const words = ['sign-out', '--all', '--yes']
  expect(await accountsWith(env, [...words, '--json'])).toMatchObject({ code: 0, stdout: '{"count":0}\n' })
  const rename = (from: string, to: string) =>
    executeSql(
      DATABASE_URL,
      `UPDATE "_prisma_migrations" SET "migration_name" = '${to}' WHERE "migration_name" = '${from}'`,
    )
  const [latest = ''] = readdirSync('prisma/sqlite/migrations')
    .filter((name) => /^\d/.test(name))
    .slice(-1)
  rename(latest, '99991231000000_later')
  expectFailure(await accountsWith(env, words), /newer than this version of Latchkey/)
  executeSql(DATABASE_URL, `DELETE FROM "_prisma_migrations" WHERE "migration_name" = '99991231000000_later'`)
  expectFailure(await accountsWith(env, words), /older than this version of Latchkey/)
})

test('the accounts command says which settings are invalid, that a front end has no accounts, and that PostgreSQL cannot be reached', async () => {
  const invalid = await accountsWith({ BCRYPT_COST: '99', DATABASE_URL: emptyDatabase() }, ['show', 'a'])
  expect(invalid).toMatchObject({ code: 1, stdout: '' })
  expect(invalid.stderr).toMatch(/BCRYPT_COST must be/)
  const frontEnd = { BACKEND_URL: 'http://127.0.0.1:9', JWT_SECRET, DATABASE_URL: emptyDatabase() }
  expectFailure(await accountsWith(frontEnd, ['show', 'a']), /BACKEND_URL is set/)
  const away = { DATABASE_URL: 'postgresql://latchkey:hidden@127.0.0.1:9/latchkey', JWT_SECRET }
  expectFailure(await accountsWith(away, ['show', 'a']), /^(?!.*hidden)/)
})

test('npm run accounts prints the one JSON value and nothing else on standard output', async ({ server, client }) => {
  const { username } = await signUp(client)
  const words = ['run', '--silent', 'accounts', '--', 'show', username, '--json']
  const env = { ...process.env, ...settingsOf(server), NODE_ENV: 'production' as const }
  const { status, stdout, stderr } = spawnSync('npm', words, {
    env: env as NodeJS.ProcessEnv,
    encoding: 'utf8',
    timeout: 60_000,
  })
  expect(status, stderr).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({ username })
})
