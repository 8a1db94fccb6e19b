import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import fc from 'fast-check'
import { digestOf } from '@/lib/auth/tokens/tokens'
import { test as base, expect } from '../../support/fixtures'
import { temporaryFolder } from '../../support/machine/temporary-folder'
import { smallPng } from '../../support/openid/fixtures'
import { accountsWith, startAccounts } from '../../support/operator/accounts-command'
import { runsOf } from '../../support/properties'
import { JWT_SECRET } from '../../support/secret'
import { takeLock } from '../../support/storage/database-lock'
import { executeSql } from '../../support/storage/sql'

const CALLBACK = 'https://budget.example.com/openid/callback'

interface Installation {
  settings: Record<string, string>
  /** Applies a file. */
  apply: (file: unknown, ...options: string[]) => ReturnType<typeof accountsWith>
  /** Applies it with `--json`, which must succeed. */
  changes: (file: unknown, ...options: string[]) => Promise<{ changes: unknown[]; secrets: Record<string, string> }>
  dump: (...options: string[]) => Promise<{ groups: string[]; apps: Record<string, unknown>[] }>
}

const textOf = (file: unknown) => (typeof file === 'string' ? file : JSON.stringify(file))

/** With a database of its own, since `--prune` deletes what others made. */
const test = base.extend<{ installation: Installation }>({
  installation: async ({ emptyStores }, use) => {
    const DATABASE_URL = `file:${join(temporaryFolder('apply'), 'latchkey.db')}`
    const settings = { DATABASE_URL, JWT_SECRET, ...emptyStores() } as Record<string, string>
    const apply = (file: unknown, ...options: string[]) =>
      accountsWith(settings, ['apply', '-', ...options], textOf(file))
    const json = async (answer: ReturnType<typeof accountsWith>) => {
      const { code, stdout, stderr } = await answer
      expect(code, stderr).toBe(0)
      return JSON.parse(stdout)
    }
    await use({
      settings,
      apply,
      changes: (file, ...options) => json(apply(file, '--json', ...options)),
      dump: (...options) => json(accountsWith(settings, ['dump', ...options])),
    })
  },
})

const actual = { id: 'actual', name: 'Actual', redirectUris: [CALLBACK] }
const old = { id: 'old', name: 'Old', redirectUris: [CALLBACK], public: true }

test('accounts apply makes apps and groups what a file says, in lines that say what changes, and with --check changes nothing @storage', async ({
  installation: { apply, changes, dump },
}) => {
  const file = { groups: ['family'], apps: [actual, old] }
  expect(await apply(file, '--check')).toMatchObject({ code: 1, stdout: '+ group family\n+ app actual\n+ app old\n' })
  expect(await dump()).toEqual({ groups: [], apps: [] })
  const first = await apply(file)
  expect(first.code, first.stderr).toBe(0)
  const [, secret = ''] = /: (lk_[\w-]{43})$/m.exec(first.stdout) ?? []
  expect(first.stdout).toBe(
    `+ group family\n+ app actual\n+ app old\nThe secret of actual, which is shown this once: ${secret}\n`,
  )
  expect(await apply(file, '--check')).toMatchObject({ code: 0, stdout: 'nothing to change\n' })
  expect(await dump()).toEqual(file)

  const changed = { ...actual, name: 'Budget', groups: ['family'], trusted: true }
  const next = { groups: ['family'], apps: [changed] }
  expect((await apply(next)).stdout).toBe('~ app actual: name, trusted, groups\n')
  // Nothing is deleted without --prune, and a part that is missing is not looked at.
  expect((await apply('{}', '--prune')).stdout).toBe('nothing to change\n')
  expect((await dump()).apps.map(({ id }) => id).sort()).toEqual(['actual', 'old'])
  expect((await apply({ groups: [], apps: [changed] }, '--prune')).stdout).toBe('- app old\n- group family\n')
  // A field that the file leaves out has its default again.
  expect(await changes({ apps: [actual] })).toEqual({
    changes: [{ action: 'change', kind: 'app', name: 'actual', fields: ['name', 'trusted', 'groups'] }],
    secrets: {},
  })
  expect(await dump('--secrets')).toEqual({
    groups: [],
    apps: [{ ...actual, secret: { sha256: digestOf(secret) } }],
  })
})

test('an app takes the secret that a file names, keeps its own where the file names none, and is shown a new one once', async ({
  installation: { settings, apply, changes, dump },
}) => {
  const made = await changes({ apps: [actual] })
  const hashOf = async () => (await dump('--secrets')).apps[0]?.secret
  expect(made.secrets).toEqual({ actual: expect.stringMatching(/^lk_[\w-]{43}$/) })
  expect(await hashOf()).toEqual({ sha256: digestOf(made.secrets.actual ?? '') })
  expect(await changes({ apps: [{ ...actual, trusted: true }] })).toMatchObject({ secrets: {} })
  expect(await hashOf()).toEqual({ sha256: digestOf(made.secrets.actual ?? '') })

  const secret = randomBytes(32).toString('base64')
  const file = JSON.stringify({ apps: [{ ...actual, secret: { env: 'ACTUAL_SECRET' } }] })
  const withSecret = await accountsWith({ ...settings, ACTUAL_SECRET: secret }, ['apply', '-'], file)
  expect(withSecret).toMatchObject({ code: 0, stdout: '~ app actual: trusted, secret\n' })
  expect(await hashOf()).toEqual({ sha256: digestOf(secret) })
  expect(await apply(file)).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('"ACTUAL_SECRET"') })
  // A public app has none, and one that is no longer public gets one.
  await changes({ apps: [{ ...actual, public: true }] })
  expect(await hashOf()).toBeUndefined()
  const again = await changes({ apps: [actual] })
  expect(again.changes).toEqual([{ action: 'change', kind: 'app', name: 'actual', fields: ['public', 'pkce'] }])
  expect(await hashOf()).toEqual({ sha256: digestOf(again.secrets.actual ?? '') })
})

test('a file that is wrong or missing changes nothing, and says what would be right', async ({
  installation: { settings, apply, dump },
}) => {
  const wrong = await apply({ groups: ['family'], apps: [{ ...actual, redirectUri: CALLBACK }, old] })
  expect(wrong).toEqual({
    code: 2,
    stdout: '',
    stderr: 'The file: apps[0].redirectUri is no field. The nearest is redirectUris.\n',
  })
  const folder = temporaryFolder('apply')
  const commented = join(folder, 'latchkey.json')
  writeFileSync(commented, '\ufeff{\n  "groups": ["family"] // more to come\n}')
  expect(await accountsWith(settings, ['apply', commented])).toEqual({
    code: 2,
    stdout: '',
    stderr: `${commented}: Line 2, column 24: JSON has no comments.\n`,
  })
  const missing = await accountsWith(settings, ['apply', join(folder, 'none.json')])
  expect(missing).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('There is no file') })
  expect((await accountsWith(settings, ['apply', folder])).code).toBe(1)
  // What only a comparison with what stands shows.
  await apply({ apps: [old] })
  const taken = await apply({ groups: ['family'], apps: [{ ...actual, name: 'Old' }] })
  expect(taken).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringContaining('another app, old, has the name'),
  })
  const host = await apply({ groups: ['family'], apps: [{ ...actual, id: 'localhost' }] })
  expect(host).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('host that the settings name') })
  expect(await dump()).toMatchObject({ groups: [], apps: [{ id: 'old' }] })
})

test('--prune deletes neither admins nor its members, and dump does not name it', async ({
  installation: { settings, apply, dump },
}) => {
  await apply({ groups: ['family'] })
  executeSql(
    settings.DATABASE_URL ?? '',
    `INSERT INTO "User" ("id", "username", "usernameKey") VALUES ('ada', 'ada', 'ada');
     INSERT INTO "Group" ("name") VALUES ('admins');
     INSERT INTO "Membership" ("userId", "groupName") VALUES ('ada', 'admins'), ('ada', 'family')`,
  )
  expect((await apply({ groups: [] }, '--prune')).stdout).toBe('- group family\n')
  const shown = await accountsWith(settings, ['group', 'show', 'admins', '--json'])
  expect(JSON.parse(shown.stdout)).toMatchObject({ members: ['ada'] })
  expect(await dump()).toEqual({ groups: [], apps: [] })
})

test('accounts apply takes five hundred apps, of which two may swap their names, and one may take that of one that goes', async ({
  installation: { changes, dump },
}) => {
  const named = (index: number, name = index) => ({ ...old, id: `app-${index}`, name: `App ${name + 100}` })
  const apps = Array.from({ length: 500 }, (_, index) => named(index))
  expect((await changes({ apps })).changes).toHaveLength(500)
  expect(await dump()).toEqual({ groups: [], apps })
  const renamed = [named(1, 0), named(0, 1), named(2, 499), ...apps.slice(3, -1)]
  expect((await changes({ apps: renamed }, '--prune')).changes).toHaveLength(4)
})

/** Starts a command that applies a file, in a process of its own. */
function startApply({ settings }: Installation, file: unknown, ...options: string[]) {
  const path = join(temporaryFolder('apply'), 'latchkey.json')
  writeFileSync(path, textOf(file))
  const child = startAccounts(settings, ['apply', path, ...options])
  child.stdin.end()
  return child
}

const ended = async (child: ReturnType<typeof startApply>) => {
  const [stderr] = await Promise.all([text(child.stderr), once(child, 'close')])
  return { code: child.exitCode, stderr }
}

test('on PostgreSQL, of two files that are applied after both have read what stands, one follows the other as a whole', {
  tag: '@networked',
}, async ({ installation }) => {
  const named = (word: string) => ({ groups: [word], apps: [{ ...old, id: word, name: word }] })
  const [one, two] = [named('one'), named('two')]
  // Then the two have no row in common, and neither sees what the other adds.
  for (const before of [one, { groups: [], apps: [] }]) await installation.changes(before, '--prune')
  const held = await takeLock(installation.settings.DATABASE_URL ?? '', 'SELECT 1 FROM "AppliedFile" FOR UPDATE')
  const applying = [ended(startApply(installation, one, '--prune')), installation.apply(two, '--prune')]
  await held.untilWaiting(2)
  await held.release()
  expect((await Promise.all(applying)).map(({ code }) => code)).toEqual([0, 0])
  expect([one, two]).toContainEqual(await installation.dump())
})

test('on PostgreSQL, accounts apply that is killed before its end has done nothing', { tag: '@networked' }, async ({
  installation,
}) => {
  await installation.changes({ groups: ['family'], apps: [old] })
  const before = await installation.dump('--secrets')
  const lock = `SELECT 1 FROM "App" WHERE "id" = 'old' FOR UPDATE`
  const held = await takeLock(installation.settings.DATABASE_URL ?? '', lock)
  const file = { groups: ['friends'], apps: [actual, { ...old, homeUrl: 'https://old.example.com/' }] }
  const child = startApply(installation, file, '--prune')
  await held.untilWaiting(1)
  child.kill('SIGKILL')
  await once(child, 'close')
  await held.release()
  expect(await installation.dump('--secrets')).toEqual(before)
})

test('a file whose last row cannot be written leaves nothing behind', async ({ installation }) => {
  await installation.changes({ groups: ['family'], apps: [old] })
  const before = await installation.dump()
  executeSql(
    installation.settings.DATABASE_URL ?? '',
    `CREATE TRIGGER "fail" BEFORE DELETE ON "Group" BEGIN SELECT RAISE(ABORT, 'planted'); END`,
  )
  const { code, stderr } = await installation.apply({ groups: ['friends'], apps: [actual] }, '--prune')
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('planted') })
  expect(await installation.dump()).toEqual(before)
})

test('the files of apps in the documents can be applied as they are', async ({ installation: { settings } }) => {
  const known = readFileSync('docs/your-app/latchkey.json', 'utf8')
  const [, example = ''] = /```json\n(\{\n {2}"\$schema".*?)```/s.exec(readFileSync('docs/accounts.md', 'utf8')) ?? []
  for (const [file, least] of [
    [known, 20],
    [example, 1],
  ] as const) {
    const names = [...file.matchAll(/"env": "(\w+)"/g)].map(([, name]) => [name, randomBytes(32).toString('base64')])
    expect(names.length).toBeGreaterThanOrEqual(least)
    const answer = await accountsWith({ ...settings, ...Object.fromEntries(names) }, ['apply', '-', '--prune'], file)
    expect(answer.code, answer.stderr).toBe(0)
  }
})

test('a file names pictures beside it, and an app keeps its own where the file and dump say nothing of it', async ({
  installation: { settings, changes, dump },
}) => {
  const folder = temporaryFolder('pictures')
  writeFileSync(join(folder, 'icon.png'), smallPng)
  const applied = async (file: unknown) => {
    writeFileSync(join(folder, 'latchkey.json'), JSON.stringify(file))
    return accountsWith(settings, ['apply', join(folder, 'latchkey.json'), '--json'])
  }
  const shown = async () => JSON.parse((await accountsWith(settings, ['app', 'show', 'actual', '--json'])).stdout).app
  const withIcon = { apps: [{ ...actual, icon: 'icon.png' }] }
  for (const times of [1, 0]) expect(JSON.parse((await applied(withIcon)).stdout).changes).toHaveLength(times)
  const { icon } = await shown()
  expect(icon).toContain('digest=')
  const dumped = await dump()
  expect(dumped.apps[0]).not.toHaveProperty('icon')
  expect((await changes({ apps: [{ ...actual, groups: ['family'] }], groups: ['family'] })).changes).toHaveLength(2)
  expect((await shown()).icon).toBe(icon)
  expect((await changes({ apps: [{ ...actual, groups: ['family'], icon: null }] })).changes).toMatchObject([
    { fields: ['icon'] },
  ])
  expect((await shown()).icon).toBe(null)
  const missing = await applied({ apps: [{ ...actual, icon: 'none.png' }] })
  expect([missing.code, missing.stderr]).toEqual([2, expect.stringContaining('apps[0].icon: the image "none.png"')])
})

const groupName = fc.stringMatching(/^[a-z0-9._-]{1,12}$/).filter((name) => name !== 'admins')
const uri = fc.stringMatching(/^https:\/\/[a-z]{1,8}\.example(:[1-9]\d{1,3})?\/[A-Za-z0-9_~-]{0,12}$/)
const digest = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => Buffer.from(bytes).toString('base64url'))
const anyApp = fc
  .record(
    {
      id: fc.stringMatching(/^[A-Za-z0-9_-]{1,12}$/).filter((id) => id.toLowerCase() !== 'localhost'),
      name: fc.stringMatching(/^[\p{L}\p{N}'"\\<>&%$-]{1,20}$/u).filter((name) => /^\S+$/.test(name)),
      redirectUris: fc.array(uri, { minLength: 1, maxLength: 3 }),
      signOutUris: fc.array(uri, { maxLength: 2 }),
      backChannelUri: fc.option(uri),
      homeUrl: fc.option(uri),
      public: fc.boolean(),
      pkce: fc.constantFrom('required', 'or_nonce', 'off'),
      trusted: fc.boolean(),
      requirePasskey: fc.boolean(),
      groups: fc.uniqueArray(groupName, { maxLength: 3 }),
      secret: fc.record({ sha256: digest }),
    },
    { requiredKeys: ['id', 'name', 'redirectUris'] },
  )
  .map(({ secret, pkce, ...app }) => (app.public ? app : { ...app, ...(pkce && { pkce }), ...(secret && { secret }) }))
const anyFile = fc.record({
  groups: fc.uniqueArray(groupName, { maxLength: 5 }),
  apps: fc.uniqueArray(anyApp, {
    maxLength: 5,
    comparator: (one, other) => one.id === other.id || one.name === other.name,
  }),
})

test('applying what dump prints changes nothing, and makes the same anywhere else, whatever was applied before @storage', async ({
  installation: { apply, changes, dump },
}) => {
  await fc.assert(
    fc.asyncProperty(anyFile, anyFile, async (file, another) => {
      await changes(file, '--prune')
      const dumped = await dump('--secrets')
      expect(dumped.groups.toSorted()).toEqual(file.groups.toSorted())
      expect(dumped.apps.map(({ id }) => id).sort()).toEqual(file.apps.map(({ id }) => id).sort())
      for (const one of [file, dumped])
        expect(await apply(one, '--prune')).toMatchObject({ code: 0, stdout: 'nothing to change\n' })
      await changes(another, '--prune')
      await changes(dumped, '--prune')
      expect(await dump('--secrets')).toEqual(dumped)
    }),
    runsOf(3),
  )
})
