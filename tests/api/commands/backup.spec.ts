import { execFile } from 'node:child_process'
import { chownSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import {
  createRecoveryCodes,
  signInWithPassword,
  signInWithRecoveryCode,
  signUp,
  signUpWithPasskey,
} from '../../support/accounts'
import { Client } from '../../support/client'
import { expectAuthenticationFailed, expectSignedIn, expectSignedOut } from '../../support/expectations'
import { expect, test } from '../../support/fixtures'
import { temporaryFolder } from '../../support/machine/temporary-folder'
import { accounts, accountsJson, accountsWith } from '../../support/operator/accounts-command'
import { environmentWith, type Finished, settingsOf } from '../../support/operator/command'
import { JWT_SECRET } from '../../support/secret'
import type { Server } from '../../support/server/server'
import { logLines } from '../../support/server/server-log'
import { executeSql, readSql } from '../../support/storage/sql'
import { Authenticator } from '../../support/webauthn/authenticator'

const newFile = (name = 'backup.db') => join(temporaryFolder('backup'), name)

async function backUp(server: Server, file = newFile()) {
  await accountsJson(server, 'backup', file)
  return file
}

function expectFailure({ code, stdout, stderr }: Finished, sentence: RegExp) {
  expect({ code, stdout }, stderr).toEqual({ code: 1, stdout: '' })
  expect(stderr).toMatch(sentence)
}

/** A section of docs/backup.md. */
function section(title: string): string {
  const [, text = ''] = readFileSync('docs/backup.md', 'utf8').split(`\n### ${title}\n`)
  const [part = ''] = text.split(/\n##+ /)
  return part
}

/** The commands of a section. */
const documented = (title: string) =>
  [...section(title).matchAll(/```sh\n(.*?)```/gs)].map(([, commands]) => commands).join('')

/** Runs the commands of the document as an operator would. */
const follow = (server: Server, commands: string, BACKUP: string) =>
  promisify(execFile)('bash', ['-euc', commands], {
    env: environmentWith({ HOME: process.env.HOME, ...settingsOf(server), BACKUP }),
  })

test('a backup made while people sign up is whole, counted, private, and overwrites nothing', async ({ start }) => {
  const server = await start({ env: { RATE_LIMIT_ADDRESS_MAX: '100000' } })
  const { username } = await signUp(new Client(server))
  const files = [newFile(), newFile()]
  let running = true
  let made = 0
  const load = Array.from({ length: 4 }, async () => {
    for (; running; made += 1) await signUpWithPasskey(new Client(server), new Authenticator(server.origin))
  })
  const counts: number[] = []
  for (const file of files) {
    counts.push((await accountsJson(server, 'backup', file)).count)
    const before = made
    await expect.poll(() => made).toBeGreaterThan(before)
  }
  running = false
  await Promise.all(load)
  expect(counts[1]).toBeGreaterThan(counts[0] ?? 0)
  const copied = files.map((file) => Number(readSql(`file:${file}`, 'SELECT count(*) FROM "User"')[0]))
  expect(counts).toEqual(copied)
  for (const file of files) expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(readdirSync(dirname(files[0] ?? ''))).toEqual(['backup.db'])

  const before = readFileSync(files[0] ?? '')
  expectFailure(await accounts(server, 'backup', files[0] ?? ''), /exists, and a backup overwrites nothing/)
  expect(readFileSync(files[0] ?? '').equals(before)).toBe(true)

  await server.kill('SIGTERM')
  expect((await accountsJson(server, 'restore', files[1] ?? '')).count).toBe(counts[1])
  await server.restart()
  expect((await signInWithPassword(new Client(server), username)).status).toBe(200)
})

test('a database is restored by the documented steps after the server was killed, with its log beside it, and under systemd', async ({
  start,
}) => {
  const server = await start()
  const owner = new Client(server)
  const { username, token } = await signUp(owner)
  const codes = await createRecoveryCodes(owner)
  const file = await backUp(server)

  expect((await owner.post('/api/signout')).status).toBe(204)
  const later = await signUp(new Client(server))
  expect((await signInWithRecoveryCode(new Client(server), username, codes[0])).status).toBe(200)
  await server.kill('SIGKILL')
  const log = readFileSync(`${server.database}-wal`)
  expect(log.length).toBeGreaterThan(0)

  const { stdout, stderr } = await follow(server, documented('The embedded database'), file)
  expect(stdout).toContain('Accounts restored: 1')
  expect(stderr).toMatch(/Recovery codes removed.*: 10\./)
  expect(stderr).toMatch(/^Passwords, passkeys, disabled accounts and deletions are as they were/m)
  expect(stderr).toContain('signing-key rotate --now')
  expect(readdirSync(dirname(server.database)).filter((name) => name.startsWith('latchkey'))).toEqual(['latchkey.db'])
  expect(statSync(server.database).mode & 0o777).toBe(0o600)

  // Under systemd, the settings of the unit say which database.
  const settings = join(dirname(file), 'latchkey.env')
  writeFileSync(
    settings,
    Object.entries(settingsOf(server))
      .map((entry) => `${entry.join('=')}\n`)
      .join(''),
  )
  const [, command = ''] = /`sudo -u latchkey (.+?)`/.exec(section('The embedded database')) ?? []
  const ours = command.replace('/etc/latchkey.env', settings).replace('/var/lib/latchkey/latchkey-DATE.db', file)
  executeSql(server.databaseUrl, 'DELETE FROM "User"')
  const unit = await promisify(execFile)('sh', ['-c', ours], { env: environmentWith({}) })
  expect(unit.stdout).toContain('Accounts restored: 1')

  await server.restart()
  await expectSignedOut(new Client(server, { bearer: token }))
  expectAuthenticationFailed(await signInWithPassword(new Client(server), later.username))
  for (const code of codes.slice(0, 2))
    expectAuthenticationFailed(await signInWithRecoveryCode(new Client(server), username, code))
  expect((await signInWithPassword(new Client(server), username)).status).toBe(200)
})

test('what root creates belongs to the owner of the folder, and what root restores to the owner of what it replaces', async ({
  start,
}) => {
  test.skip(process.getuid?.() !== 0, 'needs root')
  const folder = temporaryFolder('owned')
  chownSync(folder, 4321, 4322)
  const database = join(folder, 'data', 'accounts', 'latchkey.db')
  const env = { DATABASE_URL: `file:${database}` }
  const owners = () =>
    Object.fromEntries(
      ['data', ...readdirSync(join(folder, 'data'), { recursive: true }).map((name) => join('data', String(name)))].map(
        (name) => [name, `${statSync(join(folder, name)).uid}:${statSync(join(folder, name)).gid}`],
      ),
    )
  const all = (owner: string, ...more: string[]) =>
    Object.fromEntries(
      ['', '/accounts', ...['latchkey.db', 'jwt-secret', ...more].map((name) => `/accounts/${name}`)].map((name) => [
        `data${name}`,
        owner,
      ]),
    )

  // Before the first start, without a secret.
  expect((await accountsWith(env, ['list'])).code).toBe(0)
  expect(owners()).toEqual(all('4321:4322'))

  const server = await start({ env: { ...env, JWT_SECRET: undefined } })
  await signUp(new Client(server))
  const file = newFile()
  await accountsWith(env, ['backup', file])
  expect(owners()).toEqual(all('4321:4322', 'latchkey.db-wal', 'latchkey.db-shm'))
  await server.kill('SIGKILL')

  chownSync(database, 5432, 5433)
  expect((await accountsWith(env, ['restore', file])).code).toBe(0)
  expect(owners()).toEqual({ ...all('4321:4322'), 'data/accounts/latchkey.db': '5432:5433' })
})

test('a restore fails while a server runs, rejects what is damaged, incomplete, newer or no backup, and leaves the database as it was', async ({
  start,
}) => {
  const server = await start()
  const owner = new Client(server)
  const { username } = await signUp(owner)
  const good = await backUp(server)
  const before = readdirSync(dirname(server.database)).sort()
  expectFailure(await accounts(server, 'restore', good, '--yes'), /has .*latchkey\.db open. Stop it first/)
  expect(readdirSync(dirname(server.database)).sort()).toEqual(before)
  await expectSignedIn(owner)
  await server.kill('SIGTERM')
  const bytes = readFileSync(good)
  const bad: [RegExp, string | Uint8Array, (file: string) => void][] = [
    [/not a backup of the embedded database/, 'nonsense '.repeat(1000), nothing],
    [/not one of Latchkey/, '', nothing],
    [/not one of Latchkey/, '', (file) => executeSql(`file:${file}`, 'CREATE TABLE "User" ("id" TEXT)')],
    [/is damaged/, bytes.subarray(0, -8192), nothing],
    [/is damaged/, withWrongIndex(bytes, username), nothing],
    [/has a write-ahead log beside it/, bytes, (file) => writeFileSync(`${file}-wal`, 'log')],
    [/newer than this version of Latchkey/, bytes, (file) => executeSql(`file:${file}`, newer)],
  ]
  expectFailure(await accounts(server, 'restore', newFile(), '--yes'), /There is no file/)
  for (const [sentence, content, prepare] of bad) {
    const file = newFile()
    writeFileSync(file, content)
    prepare(file)
    expectFailure(await accounts(server, 'restore', file, '--yes'), sentence)
    expect(readdirSync(dirname(server.database))).toEqual([basename(server.database)])
  }
  await server.restart()
  expect((await signInWithPassword(new Client(server), username)).status).toBe(200)
})

const nothing = () => undefined

/** Changes the username in an index, which then finds no row: nothing but a check of the whole file notices that. */
function withWrongIndex(bytes: Buffer, username: string): Buffer {
  const changed = Buffer.from(bytes)
  for (let page = 0; page < bytes.length; page += 4096) {
    const at = bytes.indexOf(username, page)
    if (bytes[page] === leafOfIndex && at >= 0 && at < page + 4096) changed.write('!', at)
  }
  expect(changed.equals(bytes)).toBe(false)
  return changed
}

/** The type of a page (SQLite's file format, section 1.6). */
const leafOfIndex = 0x0a

const newer = `INSERT INTO "_prisma_migrations" ("id", "checksum", "migration_name") VALUES ('x', '', '99991231000000_newer')`

test('a backup brings back a newer, a destroyed and a missing database, with --keep-codes also its codes, and leaves one line with a count in the security log', async ({
  start,
}) => {
  const server = await start()
  const owner = new Client(server)
  const { username, id, token } = await signUp(owner)
  const [code] = await createRecoveryCodes(owner)
  const file = await backUp(server)
  await server.kill('SIGTERM')
  executeSql(server.databaseUrl, newer)
  await expect(server.restart()).rejects.toThrow(/newer than this version of Latchkey.*99991231000000_newer/)
  for (const words of [['backup', newFile()], ['restore']])
    expectFailure(await accounts(server, ...words), /newer than this version of Latchkey/)
  expect(await accountsJson(server, 'restore', file)).toEqual({ count: 1 })
  expect(await accountsJson(server, 'export', username)).toMatchObject({ recoveryCodesLeft: 0 })

  writeFileSync(server.database, 'destroyed '.repeat(5000))
  const restored = await accounts(server, 'restore', file, '--keep-codes')
  expect(restored.code, restored.stderr).toBe(0)
  expect(logLines(restored.stderr)).toMatchObject([
    { event: 'backup_restored', outcome: 'success', method: 'operator', count: 1, account: null },
  ])
  const shown = await accountsJson(server, 'show', id)
  expect(shown.events.map(({ type }: { type: string }) => type)).toEqual(['recovery_codes_made', 'account_created'])
  expect(shown).toMatchObject({ disabled: false, sessions: [], recoveryCodesLeft: 10 })
  await server.restart()
  await expectSignedOut(new Client(server, { bearer: token }))
  expect((await signInWithRecoveryCode(new Client(server), username, code)).status).toBe(200)

  const elsewhere = { DATABASE_URL: `file:${newFile('new/folder/latchkey.db')}`, JWT_SECRET: server.secret }
  expect((await accountsWith(elsewhere, ['restore', file, '--json'])).stdout).toBe('{"count":1}\n')
  expect((await accountsWith(elsewhere, ['show', username])).code).toBe(0)
})

test('without a database there is nothing to back up, on PostgreSQL its own tools are named, and what is typed wrong exits with 2', async () => {
  const file = newFile()
  const missing = newFile('latchkey.db')
  const embedded = { DATABASE_URL: `file:${missing}`, JWT_SECRET }
  expectFailure(await accountsWith(embedded, ['backup', file]), /no database at/)
  const postgres = { DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/none', JWT_SECRET }
  expectFailure(await accountsWith(postgres, ['backup', file]), /pg_dump/)
  expectFailure(await accountsWith(postgres, ['restore', file]), /pg_restore.*run restore without a file/)
  for (const words of [
    ['backup'],
    ['backup', 'a', 'b'],
    ['restore', 'a', 'b'],
    ['restore', '--keep'],
    ['backup', '--all', 'a'],
  ])
    expect(await accountsWith(embedded, words), words.join(' ')).toMatchObject({ code: 2, stdout: '' })
  for (const path of [file, missing]) expect(existsSync(path)).toBe(false)
})
