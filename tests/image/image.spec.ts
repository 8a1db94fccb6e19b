import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'playwright/test'
import { authenticate, randomName, register, signInWithPassword, signUp } from '../support/accounts'
import { Client, type ClientOptions } from '../support/client'
import { expectSignedIn } from '../support/expectations'
import { freePort } from '../support/machine/ports'
import { temporaryFolder } from '../support/machine/temporary-folder'
import { Authenticator } from '../support/webauthn/authenticator'
import { docker, errorsInLog, health, IMAGE } from './docker'

// One container and its volume, through its life.
test.describe.configure({ mode: 'serial' })

const name = `latchkey-${process.pid}`
const origin = 'https://id.example.com'
const authenticator = new Authenticator(origin)
const username = randomName()
let url = ''

/** As the proxy of docs/deploy.md asks. */
const client = (options: ClientOptions = {}) =>
  new Client({ url, origin }, { headers: { 'X-Forwarded-For': '192.0.2.7' }, ...options })

/** Runs the command of docs/deploy.md with a name, a port and a volume of this test's own. */
async function run(image: string, ...options: string[]) {
  const [, command = ''] = /^docker run (.*?[^\\])$/ms.exec(readFileSync('docs/deploy.md', 'utf8')) ?? []
  const port = await freePort()
  const own: Record<string, string> = {
    latchkey: name,
    'latchkey:/app/data': `${name}:/app/data`,
    '127.0.0.1:3000:3000': `127.0.0.1:${port}:3000`,
  }
  const words = command.split(/[\s\\]+/).slice(0, -1)
  docker('run', ...words.map((word) => own[word] ?? word), ...options, image)
  url = `http://127.0.0.1:${port}`
  await expect.poll(() => health(name)).toBe('healthy')
}

const exec = (...words: string[]) => docker('exec', name, ...words)

test.beforeAll(() =>
  run(IMAGE, '-e', 'OTEL_METRICS_EXPORTER=prometheus', '-e', 'APP_ACCENT=#7a1fa2', '-e', 'APP_LOGO=public/icon.svg'),
)
test.afterAll(() => {
  docker('rm', '--force', name)
  docker('volume', 'rm', '--force', name)
})

test('the container is healthy without root, a capability, or a program file that it could change', () => {
  const status = exec('cat', '/proc/1/status')
  expect(status).toMatch(/^Uid:\t1000\t1000\t1000\t1000$/m)
  expect(status.match(/^Cap(Inh|Prm|Eff|Bnd|Amb):\t0{16}$/gm)).toHaveLength(5)
  expect(status).toMatch(/^NoNewPrivs:\t1$/m)
  expect(() => exec('touch', 'build/added.mjs')).toThrow('Read-only file system')
  expect(exec('sh', '-c', 'command -v node npm npx corepack || true')).toBe('/usr/local/bin/node')
})

test('the image adds at most 75 MB to its base', () => {
  const bytes = Number.parseInt(exec('du', '--summarize', '--bytes', '--exclude', 'data', '/app'), 10)
  expect(bytes).toBeLessThan(75e6)
})

test('the image answers the API by password and by passkey, and counts it', async () => {
  const person = client()
  await signUp(person, username)
  expect((await register(person, authenticator)).status).toBe(201)
  expect((await authenticate(client(), authenticator, username)).status).toBe(200)
  const discovery = await client().get('/.well-known/openid-configuration')
  expect(discovery.body.issuer).toBe(origin)
  expect((await client().get('/api/openapi.json')).status).toBe(200)
  const fetched = `console.log(await (await fetch('http://127.0.0.1:9464/metrics')).text())`
  expect(exec('node', '--input-type=module', '--eval', fetched)).toMatch(/^latchkey_sign_ups_total 1$/m)
})

test('the image answers every page, to strangers, to a person and to an administrator, its scripts and styles, navigations, errors and logo', async () => {
  const accounts = (...words: string[]) => JSON.parse(exec('node', 'build/accounts.mjs', ...words, '--json'))
  // Before anybody signs in: joining ends sessions.
  accounts('group', 'add', 'admins', username)
  const app = accounts('app', 'add', 'Notes', 'https://notes.example.com/callback').app.id
  const parts: Record<string, string> = { accounts: accounts('show', username).id, apps: app, groups: 'admins' }
  const administrator = client()
  expect((await authenticate(administrator, authenticator, username)).status).toBe(200)
  const person = client()
  await signInWithPassword(person, username)
  const manifest = JSON.parse(exec('cat', '.next/app-path-routes-manifest.json')) as Record<string, string>
  const pages = Object.entries(manifest).flatMap(([file, path]) => (/^\/[^_]*page$/.test(file) ? [path] : []))
  expect(pages.length).toBeGreaterThan(8)
  const files = new Set<string>()
  const visit = async (visitor: Client, path: string, headers = {}) => {
    const answer = await visitor.get(path, { headers })
    expect(answer.status, path).toBeLessThan(400)
    for (const [file] of answer.text.matchAll(/\/_next\/static\/[^"\\]+/g)) files.add(file)
    return answer
  }
  // Recovery by mail is off without a mail server.
  const own = pages.filter((path) => !/^\/(admin|recover)/.test(path))
  const ofOperators = pages
    .filter((path) => path.startsWith('/admin'))
    .map((path) => path.replace(/(\w+)\/\[\w+\]/, (_, list) => `${list}/${parts[list]}`))
  expect(ofOperators).toContain('/admin/accounts')
  for (const [visitor, paths] of [
    [client(), own] as const,
    [person, own] as const,
    [administrator, ofOperators] as const,
  ])
    for (const path of paths) {
      await visit(visitor, path)
      // A navigation. Next sends one without the digest of its headers to where that is in the URL.
      const { headers } = await visit(visitor, path, { RSC: '1' })
      if (headers.location?.endsWith('?_rsc')) await visit(visitor, headers.location, { RSC: '1' })
    }
  expect(files.size).toBeGreaterThan(5)
  for (const file of files) expect((await client().get(file)).status, file).toBe(200)

  const signIn = await client().get('/signin')
  expect(signIn.text).toContain('--accent:#7a1fa2;')
  const fragment = await visit(person, '/profile?_rsc', { RSC: '1' })
  expect([fragment.status, fragment.headers['content-type']]).toEqual([200, 'text/x-component'])
  const missing = await client().get('/nothing/here')
  expect([missing.status, missing.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8'])
  expect((await client().get('/brand/logo')).headers['content-type']).toBe('image/svg+xml; charset=utf-8')
  expect(errorsInLog(name)).toEqual([])
})

test('commands run in the container, and what it backs up can be copied from it', () => {
  expect(JSON.parse(exec('node', 'build/accounts.mjs', 'list', '--json')).accounts).toMatchObject([{ username }])
  expect(exec('node', 'build/doctor.mjs')).not.toMatch(/^FAIL|^warn files/m)
  exec('node', 'build/accounts.mjs', 'backup', 'data/backup.db')
  const copy = join(temporaryFolder('backup'), 'backup.db')
  docker('cp', `${name}:/app/data/backup.db`, copy)
  expect(readFileSync(copy, 'latin1')).toMatch(/^SQLite format 3/)
})

test('on SIGTERM the container ends by itself, and keeps accounts and sessions over a restart', async () => {
  const person = client()
  await signInWithPassword(person, username)
  docker('stop', name)
  // 137 after a kill.
  expect(docker('inspect', '--format', '{{.State.ExitCode}}', name)).toBe('0')
  docker('start', name)
  await expect.poll(() => health(name)).toBe('healthy')
  await expectSignedIn(person)
  expect((await authenticate(client(), authenticator, username)).status).toBe(200)
  expect(errorsInLog(name)).toEqual([])
})

test('an image of a later version, with one more migration, serves the accounts and sessions of the volume', async () => {
  const { token } = (await signInWithPassword(client(), username)).body
  const later = `${IMAGE}:later`
  const context = temporaryFolder('later')
  mkdirSync(join(context, 'migration'))
  writeFileSync(join(context, 'migration/migration.sql'), 'CREATE TABLE "Later" ("id" TEXT NOT NULL PRIMARY KEY);\n')
  const migrations = '/app/prisma/sqlite/migrations/20991231000000_later'
  writeFileSync(join(context, 'Dockerfile'), `FROM ${IMAGE}\nCOPY migration ${migrations}\n`)
  docker('build', '--tag', later, context)
  docker('stop', name)
  docker('rm', name)
  await run(later)
  await expectSignedIn(client({ bearer: token }))
  expect((await authenticate(client(), authenticator, username)).status).toBe(200)
  const names = `
    import { DatabaseSync } from 'node:sqlite'
    console.log(new DatabaseSync('data/latchkey.db', { readOnly: true }).prepare("SELECT name FROM sqlite_master").all().map(({ name }) => name).join())`
  expect(exec('node', '--input-type=module', '--eval', names)).toMatch(/\bLater\b/)
  expect(errorsInLog(name)).toEqual([])
})
