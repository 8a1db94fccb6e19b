import { spawnSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '../../support/fixtures'
import { temporaryFolder } from '../../support/machine/temporary-folder'
import { accounts, accountsJson, accountsWith } from '../../support/operator/accounts-command'
import { environmentWith, settingsOf } from '../../support/operator/command'
import { runInKeptProcess } from '../../support/operator/kept-process'
import { JWT_SECRET } from '../../support/secret'
import type { Server } from '../../support/server/server'
import { logLines } from '../../support/server/server-log'

const CALLBACK = 'https://budget.example.com/openid/callback'
const secret = { env: 'ACTUAL_SECRET' }
const ACTUAL_SECRET = 'k9mWv3Qx7Tn2Lr8Yb4Hc6Jd1Fg5Sz0Pa'
const actual = { id: 'actual', name: 'Actual', redirectUris: [CALLBACK], secret }

/** A file of apps that a test rewrites. */
function appFile(content: object) {
  const path = join(temporaryFolder('apply'), 'latchkey.json')
  const write = (next: object) => writeFileSync(path, JSON.stringify(next))
  write(content)
  return { path, write }
}

const appsOf = async (server: Server) =>
  ((await accountsJson(server, 'app', 'list')).apps as { id: string; managed: boolean }[]).map(({ id, managed }) => [
    id,
    managed,
  ])

test('each start applies the file of APPLY, and only a start changes its apps, until one lacks them', async ({
  start,
}) => {
  const file = appFile({ groups: ['family'], apps: [actual] })
  const env = { APPLY: file.path, ACTUAL_SECRET }
  const server = await start({ env })
  await accountsJson(server, 'app', 'add', 'Other', CALLBACK, '--id', 'other')
  expect(await appsOf(server)).toEqual([
    ['actual', true],
    ['other', false],
  ])
  expect(await accountsJson(server, 'group', 'list')).toEqual({ groups: [{ name: 'family', members: 0 }] })

  const sentence = 'A file on the server manages this app. Change it there and restart the server.\n'
  const rejected = [
    ['app', 'change', 'actual', '--trusted'],
    ['app', 'new-secret', 'actual'],
    ['app', 'delete', 'actual', '--yes'],
  ]
  for (const words of rejected)
    expect(await accounts(server, ...words), words.join(' ')).toEqual({ code: 1, stdout: '', stderr: sentence })
  const applying = (content: object, ...words: string[]) =>
    accountsWith({ ...settingsOf(server), ACTUAL_SECRET }, ['apply', '-', ...words], JSON.stringify(content))
  expect(await applying({ apps: [{ ...actual, trusted: true }] })).toEqual({ code: 1, stdout: '', stderr: sentence })
  expect(await applying({ apps: [] }, '--prune')).toMatchObject({ code: 1, stderr: sentence })
  expect(await applying({ apps: [actual] })).toMatchObject({ code: 0, stdout: 'nothing to change\n' })

  // Without --prune: an app that the file no longer has stays, and is like any other. No app changes otherwise.
  file.write({ apps: [{ id: 'other', name: 'Other', redirectUris: [CALLBACK] }] })
  await server.restart()
  expect(await appsOf(server)).toEqual([
    ['actual', false],
    ['other', true],
  ])
  await accountsJson(server, 'app', 'delete', 'actual', '--yes')
  await server.kill('SIGTERM')
  const without = await start({ beside: server })
  expect(await appsOf(without)).toEqual([['other', false]])
  await accountsJson(without, 'app', 'change', 'other', '--trusted')
})

test('of several instances that start at once, one applies the file of APPLY', { tag: '@networked' }, async ({
  emptyStores,
  start,
}) => {
  const file = appFile({ groups: ['family'], apps: [actual] })
  const env = { JWT_SECRET, ...emptyStores(), APPLY: file.path, ACTUAL_SECRET }
  const servers = await Promise.all([1, 2].map(() => start({ env })))
  const events = servers.flatMap((server) => logLines(server.output())).map(({ event }) => event)
  expect(events.filter((event) => event === 'app_registered')).toHaveLength(1)
  for (const server of servers) expect(await appsOf(server)).toEqual([['actual', true]])
})

const wrong: [content: object | null, line: (path: string) => string][] = [
  [null, (path) => `There is no file ${path}.`],
  [{ app: [] }, (path) => `${path}: app is no field. The nearest is apps.`],
  [{ apps: [actual] }, (path) => `${path}: apps[0].secret.env: the environment variable "ACTUAL_SECRET" is not set.`],
  [
    { apps: [{ ...actual, secret: undefined }] },
    () => 'The app actual would get a secret that nobody sees. Give it one: "secret": {"env": "NAME"}.',
  ],
]

test('a start fails whose file of APPLY is missing, is wrong or would make a secret, and it and the doctor say what would be right', async () => {
  const DATABASE_URL = `file:${join(temporaryFolder('apply'), 'latchkey.db')}`
  const doctor = (settings: Record<string, string>) =>
    runInKeptProcess({ program: 'doctor', settings: { DATABASE_URL, JWT_SECRET, ...settings }, words: [], input: '' })
  for (const [content, line] of wrong) {
    const file = appFile(content ?? {})
    if (content === null) rmSync(file.path)
    const { code, stdout } = await doctor({ APPLY: file.path })
    expect([code, stdout]).toEqual([1, expect.stringContaining(`FAIL file of apps: ${line(file.path)}\n`)])
  }
  const file = appFile({ app: [] })
  const args = ['build/server.mjs', '--api-only']
  const env = environmentWith({ DATABASE_URL, JWT_SECRET, APPLY: file.path })
  const { status, stderr } = spawnSync(process.execPath, args, { env, encoding: 'utf8' })
  const says = `Latchkey cannot start:\n  ${file.path}: app is no field. The nearest is apps.\n`
  expect({ status, stderr }).toEqual({ status: 1, stderr: says })
  const dump = await accountsWith({ DATABASE_URL, JWT_SECRET }, ['dump', '--json'])
  expect(JSON.parse(dump.stdout)).toEqual({ groups: [], apps: [] })

  const right = appFile({ groups: ['family'], apps: [actual] })
  const { stdout } = await doctor({ APPLY: right.path, ACTUAL_SECRET })
  expect(stdout).toContain(`ok   file of apps: a start applies ${right.path}: + group family, + app actual\n`)
})

test('a build of production on Vercel applies the file of APPLY, and one of a preview does not', {
  tag: '@networked',
}, async ({ emptyStores }) => {
  const file = appFile({ apps: [actual] })
  const { DATABASE_URL } = emptyStores()
  const settings = { DATABASE_URL, JWT_SECRET }
  const build = (VERCEL_ENV: string) => {
    const env = environmentWith({ ...settings, VERCEL: '1', VERCEL_ENV, APPLY: file.path, ACTUAL_SECRET })
    return spawnSync(process.execPath, ['build/migrate.mjs'], { env, encoding: 'utf8' })
  }
  const apps = async () => JSON.parse((await accountsWith(settings, ['app', 'list', '--json'])).stdout).apps
  expect(build('preview').status).toBe(0)
  expect(await apps()).toEqual([])
  const production = build('production')
  expect(production.status, production.stderr).toBe(0)
  expect(await apps()).toMatchObject([{ id: 'actual', managed: true }])
  file.write({ app: [] })
  expect(build('production')).toMatchObject({
    status: 1,
    stderr: `Latchkey cannot be deployed:\n  ${file.path}: app is no field. The nearest is apps.\n`,
  })
})
