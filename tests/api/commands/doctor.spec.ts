import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, test } from '../../support/fixtures'
import { LOGO_SVG, logoFile } from '../../support/logos'
import { needs } from '../../support/machine/needs'
import { temporaryFolder } from '../../support/machine/temporary-folder'
import { startReceiver } from '../../support/network/receiver'
import { newSecret, verify } from '../../support/network/webhooks'
import { keepDocuments } from '../../support/openid/documents'
import { accountsWith } from '../../support/operator/accounts-command'
import { runInKeptProcess } from '../../support/operator/kept-process'
import { JWT_SECRET } from '../../support/secret'
import { startPostgres } from '../../support/storage/postgres'
import { passwordAndTls, startRedisCluster, startRedisSentinels } from '../../support/storage/redis-topologies'

type Settings = Record<string, string | undefined>

/** Only these settings, and an empty database. */
function environment(settings: Settings) {
  const folder = temporaryFolder('doctor')
  const DATABASE_URL = `file:${join(folder, 'latchkey.db')}`
  return { PATH: process.env.PATH, NODE_ENV: 'production' as const, DATABASE_URL, ...settings }
}

const doctor = (settings: Settings = {}) =>
  runInKeptProcess({ program: 'doctor', settings: environment(settings), words: [], input: '' })

const startDoctor = (settings: Settings) =>
  spawn(process.execPath, ['build/doctor.mjs'], { env: environment(settings) })

test('npm run doctor passes without settings and says what passkeys need', async () => {
  const { code, stdout } = await doctor()
  expect(stdout).not.toContain('FAIL')
  expect(stdout).toMatch(/^warn origin: APP_ORIGIN is not set/m)
  expect(stdout).toMatch(/^ok {3}database: file:.* reached and migrated/m)
  expect(stdout).toMatch(/^ok {3}clock: .*no other clock/m)
  expect(code).toBe(0)
})

test('npm run doctor names every invalid setting and exits with 1', async () => {
  const JWT_SECRET = 'please-change-this-secret-in-production'
  const { code, stdout } = await doctor({ BCRYPT_COST: '99', JWT_SECRET, APP_ORIGIN: 'http://192.0.2.7:3000' })
  expect(stdout).toMatch(/^ {5}BCRYPT_COST /m)
  expect(stdout).toMatch(/^ {5}JWT_SECRET must look random; generate one with: openssl rand -base64 48/m)
  expect(stdout).toContain('http://192.0.2.7:3000 is an IP address')
  expect(code).toBe(1)
})

test('npm run doctor writes durations in whole hours, minutes or seconds, and how many entries of X-Forwarded-For are believed', async () => {
  const { stdout } = await doctor({
    ...{ JWT_EXPIRES_IN: '30s', RATE_LIMIT_LOGIN_WINDOW: '100s' },
    ...{ APP_ORIGIN: 'https://id.example.com', TRUSTED_PROXIES: '2' },
  })
  expect(stdout).toMatch(/^ok {3}settings: .*sessions last 30 s;/m)
  expect(stdout).toMatch(/^ok {3}rate limits: .*in 100 s\b/m)
  expect(stdout).toMatch(/^ok {3}https: TRUSTED_PROXIES=2: that many entries of X-Forwarded-For/m)
  expect((await doctor({ RATE_LIMIT_LOGIN_WINDOW: '90m' })).stdout).toMatch(/sessions last 168 h;.*in 90 min\b/s)
})

test('npm run doctor says what the pages look like and warns of a name that is still ours', async () => {
  const settings = { APP_LOGO: logoFile(LOGO_SVG), APP_ACCENT: '#7a1fa2', HOME_URL: 'https://app.example.com/' }
  const { code, stdout } = await doctor(settings)
  expect(stdout).toMatch(/^ok {3}branding: \/brand\/logo is image\/svg\+xml of 1 KiB/m)
  expect(stdout).toMatch(
    /^ok {3}branding: #7a1fa2 reaches \d\.\d:1 as text, and #[\da-f]{6} with \d\.\d:1 in the dark theme/m,
  )
  expect(stdout).toMatch(/^ok {3}branding: people go on to https:\/\/app\.example\.com\//m)
  expect(stdout).toMatch(/^ok {3}branding: APP_LOGO_DARK is not set: in the dark theme the logo has a light plate/m)
  expect(stdout).toMatch(/^warn branding: APP_NAME is not set/m)
  expect(code).toBe(0)
  expect((await doctor({ ...settings, APP_NAME: 'Acme' })).stdout).not.toContain('warn branding')
})

test('npm run doctor survives a reader that closes early, such as head -1, with the same exit code', async () => {
  const child = startDoctor({ BCRYPT_COST: '99' })
  const exit = once(child, 'exit')
  child.stdout.destroy()
  expect([await text(child.stderr), ...(await exit)]).toEqual(['', 1, null])
})

const LOOKS: [what: string, settings: Record<string, string>, line: RegExp][] = [
  ['https without a proxy', { APP_ORIGIN: 'https://id.example.com' }, /https: .*TRUSTED_PROXIES is 0/],
  [
    'a port that all can reach',
    { APP_ORIGIN: 'https://id.example.com', TRUSTED_PROXIES: '1' },
    /https: only the proxy .* HOST=127\.0\.0\.1, or in a container HOST=0\.0\.0\.0 /,
  ],
  ['a proxy before localhost', { TRUSTED_PROXIES: '1' }, /https: TRUSTED_PROXIES is 1, but/],
  ['an IP address as origin', { APP_ORIGIN: 'https://192.0.2.7' }, /origin: .*IP address/],
  ['an IP address as RP id', { APP_ORIGIN: 'https://[2001:db8::1]' }, /passkeys: .*IP address/],
  ['preview addresses', { APP_ORIGIN: 'https://latchkey.vercel.app' }, /origin: every preview/],
  ['a shared domain', { APP_ORIGIN: 'https://a.vercel.app', RP_ID: 'vercel.app' }, /passkeys: browsers reject/],
  [
    'an access cookie for no app',
    { APP_ORIGIN: 'https://id.example.com', ACCESS_COOKIE_DOMAIN: 'example.com', CLIENT_ORIGINS: 'https://a.example' },
    /apps: ACCESS_COOKIE_DOMAIN helps no app/,
  ],
  [
    'an Android origin without its app',
    { APP_ORIGIN: `https://id.example.com,android:apk-key-hash:${'A'.repeat(43)}` },
    /apps: android:apk-key-hash:A+ is in APP_ORIGIN, but ANDROID_APPS/,
  ],
  ['an origin elsewhere', { APP_ORIGIN: 'https://a.example,https://b.example' }, /passkeys: .*b\.example is not under/],
]

test('npm run doctor warns of a folder that other users can enter without failing', async () => {
  const folder = temporaryFolder('doctor')
  const DATABASE_URL = `file:${join(folder, 'latchkey.db')}`
  expect((await doctor({ DATABASE_URL })).stdout).toMatch(/^ok {3}files: only its owner/m)
  chmodSync(folder, 0o755)
  const { code, stdout } = await doctor({ DATABASE_URL })
  expect(stdout).toMatch(/^warn files: other users of this machine can enter/m)
  expect(code).toBe(0)
})

test('npm run doctor warns of a BACKEND_URL in plain http beyond this machine only', async () => {
  const front = { JWT_SECRET: randomBytes(48).toString('base64'), APP_ORIGIN: 'https://id.example.com' }
  const warning = /^warn backend: BACKEND_URL=\S+ is plain http/m
  for (const BACKEND_URL of ['http://192.0.2.1:9', 'http://localhost.example:9'])
    expect((await doctor({ ...front, BACKEND_URL })).stdout, BACKEND_URL).toMatch(warning)
  for (const BACKEND_URL of ['https://192.0.2.1:9', 'http://localhost:9', 'http://127.0.0.1:9', 'http://[::1]:9'])
    expect((await doctor({ ...front, BACKEND_URL })).stdout, BACKEND_URL).not.toMatch(warning)
})

test('npm run doctor points out what may be a mistake in settings that are valid, without failing', async () => {
  for (const [what, settings, line] of LOOKS) {
    const { code, stdout } = await doctor(settings)
    expect.soft(stdout, what).toMatch(new RegExp(`^warn ${line.source}`, 'm'))
    expect.soft([code, stdout.includes('FAIL')], what).toEqual([0, false])
  }
})

test('the doctor has nothing to warn of in the https part of the container that docs/deploy.md starts', async () => {
  const [command = ''] = /^docker run (?:.*\\\n)*.*$/m.exec(readFileSync('docs/deploy.md', 'utf8')) ?? []
  const settings = Object.fromEntries([...command.matchAll(/ -e (\w+)=(\S+)/g)].map(([, name, value]) => [name, value]))
  expect(settings).toMatchObject({ APP_ORIGIN: expect.stringMatching(/^https:/) })
  const { stdout } = await doctor(settings)
  expect(stdout).toMatch(/^ok {3}https: TRUSTED_PROXIES=1/m)
  expect(stdout).not.toContain('warn https')
})

test("npm run doctor checks PostgreSQL's connection, migrations and clock and hides its password", async () => {
  needs('PostgreSQL')
  const postgres = await startPostgres()
  try {
    const DATABASE_URL = postgres.createDatabase().replace('latchkey@', 'latchkey:hidden@')
    const settings = { DATABASE_URL, JWT_SECRET }
    const { code, stdout } = await doctor(settings)
    expect(stdout).toMatch(/^ok {3}database: PostgreSQL at .* reached and migrated/m)
    expect(stdout).toMatch(/^ok {3}clock: within \d+ ms of the database's/m)
    expect(stdout).not.toContain('hidden')
    expect(code).toBe(0)
    postgres.psql("ALTER ROLE latchkey SET timezone = 'America/St_Johns'")
    const inSchema = await doctor({ ...settings, DATABASE_URL: `${DATABASE_URL}?schema=accounts` })
    expect(inSchema.stdout).toMatch(/^ok {3}database: PostgreSQL at .*, schema accounts, reached and migrated/m)
    expect(inSchema.stdout).toMatch(/^ok {3}clock: within \d{1,4} ms of the database's/m)
    expect(inSchema.stdout).toMatch(/^warn database: the schema public has tables of Latchkey too/m)
    expect(inSchema.code).toBe(0)
    await postgres.halt()
    const without = await doctor(settings)
    expect(without.stdout).toMatch(/^FAIL database: PostgreSQL at .* cannot be used/m)
    expect(without.stdout).not.toContain('hidden')
    expect(without.code).toBe(1)
  } finally {
    await postgres.stop()
  }
})

test('npm run doctor says whether REDIS_URL leads to a cluster or through Sentinels, with a password and TLS, and hides the password', async () => {
  needs('Redis', 'openssl')
  const access = passwordAndTls()
  const [cluster, sentinels] = await Promise.all([startRedisCluster(access), startRedisSentinels(access)])
  const trusting = { NODE_EXTRA_CA_CERTS: access.authority }
  const looks: [settings: Record<string, string>, line: RegExp][] = [
    [{ REDIS_URL: cluster.url, ...trusting }, /^ok {3}rate limits: .*counted in a Redis Cluster, which answers/m],
    [{ REDIS_URL: sentinels.url, ...trusting }, /^ok {3}rate limits: .*its Sentinels call mymaster, which answers/m],
    [{ REDIS_URL: sentinels.url }, /^FAIL rate limits: .*its Sentinels call mymaster does not answer/m],
  ]
  for (const [settings, line] of looks) {
    // Node reads NODE_EXTRA_CA_CERTS as a process starts.
    const child = startDoctor(settings)
    const [stdout] = await Promise.all([text(child.stdout), once(child, 'close')])
    expect(stdout).toMatch(line)
    expect([child.exitCode, stdout.includes('p@ss'), stdout.includes('p%40ss')]).toEqual([
      /^\^ok/.test(line.source) ? 0 : 1,
      false,
      false,
    ])
  }
  await Promise.all([cluster.stop(), sentinels.stop()])
})

test('npm run doctor names the issuer and the apps that nobody can get back to, without failing', async () => {
  const env = environment({})
  const run = async (settings = {}) => (await doctor({ ...env, ...settings })).stdout
  expect(await run()).not.toContain('sign-in to apps')
  const add = (...words: string[]) => accountsWith(env, ['app', 'add', ...words])
  await add('Notes', 'http://127.0.0.1:4000/callback')
  expect(await run()).toMatch(/^ok {3}sign-in to apps: 1 app signs people in; the issuer is http:\/\/localhost:3000\n/m)
  expect(await run()).not.toContain('warn sign-in to apps')
  await add('Gone', 'https://no-such-host.invalid/callback')
  const report = await run()
  expect(report).toMatch(/^warn sign-in to apps: Gone cannot reach http:\/\/localhost:3000 from another machine/m)
  expect(report).toMatch(
    /^warn sign-in to apps: no-such-host\.invalid of Gone's redirect URI does not resolve here, .* app change id:[\da-f]{24} --redirect-uri$/m,
  )
  expect(report).not.toContain('FAIL')
  expect(await run({ APP_ORIGIN: 'https://id.example.com', TRUSTED_PROXIES: '1' })).not.toContain(
    'from another machine',
  )
})

test('an app whose id the settings have come to name can be changed, and the doctor says so', async () => {
  const env = environment({})
  await accountsWith(env, ['app', 'add', 'Notes', 'http://127.0.0.1:4000/callback', '--id', 'notes'])
  const settings = { ...env, CLIENT_ORIGINS: 'https://notes' }
  const { stdout } = await doctor(settings)
  expect(stdout).toMatch(
    /^warn sign-in to apps: the id notes of Notes is a host that the settings name, .* another id$/m,
  )
  const change = ['app', 'change', 'notes', '--redirect-uri', 'http://127.0.0.1:5000/callback']
  expect(await accountsWith(settings, change)).toMatchObject({ code: 0 })
})

test('npm run doctor says which hosts of CLIENT_DOCUMENTS it can reach, and that no API is open to their clients', async ({
  keep,
}) => {
  const documents = await keepDocuments(keep)
  const [here, inside] = ['app', 'private'].map((name) => `${name}.documents.test:${documents.port}`)
  const env = environment({ ...documents.env, CLIENT_DOCUMENTS: `${here},${inside},no-such-host.invalid` })
  const found = async () => {
    const child = spawn(process.execPath, ['build/doctor.mjs'], { env })
    return (await text(child.stdout)).split('\n').filter((line) => line.includes(' client documents: '))
  }
  expect(await found()).toEqual([
    `ok   client documents: clients at ${here} may introduce themselves`,
    expect.stringMatching(
      /^warn .*: documents at private\.documents\.test:\d+ cannot be fetched: .* has no public address\./,
    ),
    expect.stringMatching(/^warn .*: documents at no-such-host\.invalid cannot be fetched: /),
    expect.stringMatching(/^warn .*: no API is open to any app, .* --any-app$/),
  ])
  await accountsWith(env, ['api', 'add', 'Notes', 'https://notes.example.com', '--any-app'])
  expect(await found()).toHaveLength(3)
})

test('the doctor sends an event to the receiver of webhooks, unless at an address that Latchkey never calls, and says what it answers', async () => {
  const secret = newSecret()
  const ask = (WEBHOOK_URL: string) => doctor({ WEBHOOK_URL, WEBHOOK_SECRET: secret })
  const receiver = await startReceiver()
  const found = await ask(receiver.url)
  expect(found.stdout).toMatch(/^ok {3}webhooks: the receiver answered 204 to an event of the type webhook\.test/m)
  expect(found.code).toBe(0)
  expect(receiver.received.map((one) => verify(secret, one).type)).toEqual(['webhook.test'])
  receiver.answer(401)
  const rejected = await ask(receiver.url)
  expect(rejected.stdout).toMatch(/^FAIL webhooks: the receiver answered 401, so it may have another secret/m)
  expect(rejected.code).toBe(1)
  await receiver.stop()
  expect((await ask(receiver.url)).stdout).toMatch(/^FAIL webhooks: WEBHOOK_URL: cannot be reached \(ECONNREFUSED\)/m)
  expect((await ask('http://169.254.169.254/')).stdout).toMatch(/^FAIL webhooks: .* never called/m)
})
