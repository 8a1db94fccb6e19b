import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { databaseFile } from '@/lib/settings/deployment'
import { signInWithPassword, signUp } from '../../support/accounts'
import { Client } from '../../support/client'
import { expect, test } from '../../support/fixtures'
import { temporaryFolder } from '../../support/machine/temporary-folder'
import { CALLBACK, registerApp } from '../../support/openid/fixtures'
import { Flow } from '../../support/openid/flow'
import { JWT_SECRET } from '../../support/secret'
import type { Postgres } from '../../support/storage/postgres'
import { holdWriteLock } from '../../support/storage/write-lock'

const ask = (client: Client, method: string) => client.request(method, '/api/health')

test('a healthy server answers 200 without a body, to GET and HEAD and to any origin', async ({ another }) => {
  const client = another({ headers: { Origin: 'https://monitor.example', 'Sec-Fetch-Site': 'cross-site' } })
  for (const method of ['GET', 'HEAD']) {
    const answer = await ask(client, method)
    expect([answer.status, answer.text, answer.headers['cache-control']]).toEqual([200, '', 'no-store'])
    expect(answer.headers).not.toHaveProperty('set-cookie')
  }
})

/** A preload with which a signal breaks the disk, as the server sees it. */
const breakableDisk = `
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
const { fdatasync } = fs
let breaks = false
fs.fdatasync = (file, done) => breaks ? setImmediate(done, new Error('the disk is broken')) : fdatasync(file, done)
syncBuiltinESMExports()
process.on('SIGUSR2', () => { breaks = true; process.stderr.write('the disk breaks\\n') })`

test('after the disk has failed nothing is answered as ended that may not be, and the health check answers 503 until a restart, which the log asks for @promise', async ({
  start,
}) => {
  const env = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(breakableDisk)}` }
  const server = await start({ env })
  const [client, elsewhere] = [new Client(server), new Client(server)]
  const { username } = await signUp(client)
  const app = await registerApp(server, CALLBACK)
  await new Flow(client, app).code()
  await signInWithPassword(elsewhere, username)
  const { sessions } = (await elsewhere.post('/api/i/sessions')).body
  const { id } = sessions.find(({ current }: { current: boolean }) => !current)
  expect((await ask(client, 'GET')).status).toBe(200)
  process.kill(server.pid(), 'SIGUSR2')
  await expect.poll(() => server.output()).toContain('the disk breaks')
  for (const _ of [1, 2]) {
    expect((await elsewhere.post('/api/i/apps/revoke', { id: app.id })).status).toBe(503)
    expect((await elsewhere.post('/api/i/sessions/revoke', { id })).status).toBe(503)
    expect((await client.post('/api/signout')).status).toBe(503)
  }
  expect((await ask(client, 'GET')).status).toBe(503)
  const fatal = server
    .output()
    .split('\n')
    .filter((line) => line.includes('"level":60'))
  expect(fatal).toHaveLength(1)
  expect(JSON.parse(fatal[0] ?? '')).toMatchObject({ err: { message: 'the disk is broken' } })
  expect(fatal[0]).toContain('restart Latchkey')
})

/** Until a new session is asked, PostgreSQL goes on writing. */
function setReadOnly({ psql }: Postgres, url: string, readOnly: boolean) {
  const name = new URL(url).pathname.slice(1)
  psql(`ALTER DATABASE ${name} SET default_transaction_read_only = ${readOnly ? 'on' : 'off'}`)
  psql(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`)
}

/** What makes all writes fail while reads succeed. Each returns what ends it. */
const incidents = {
  "another process holds the embedded database's lock": async (_: Postgres, url: string) =>
    (await holdWriteLock(databaseFile(url))).release,
  'PostgreSQL is read-only': async (postgres: Postgres, url: string) => {
    setReadOnly(postgres, url, true)
    return async () => setReadOnly(postgres, url, false)
  },
}

for (const [what, begin] of Object.entries(incidents))
  test(`while ${what} the health check answers 503, the doctor fails, and the log has one line of level 50`, async ({
    start,
    ownPostgres,
  }) => {
    const DATABASE_URL = what.startsWith('PostgreSQL')
      ? ownPostgres.createDatabase()
      : `file:${join(temporaryFolder('incident'), 'latchkey.db')}`
    const server = await start({ env: { DATABASE_URL } })
    const client = new Client(server)
    const { username } = await signUp(client)
    const status = async () => (await ask(client, 'GET')).status
    const logged = (text: string) => server.output().split(text).length - 1
    const end = await begin(ownPostgres, DATABASE_URL)
    // Nobody has asked for the health yet.
    expect((await signInWithPassword(new Client(server), username)).status).toBe(503)
    await expect.poll(() => logged('"level":50')).toBe(1)
    for (const _ of [1, 2, 3]) expect(await status()).toBe(503)
    expect((await signInWithPassword(new Client(server), username)).status).toBe(503)
    const doctor = spawnSync(process.execPath, [resolve('build/doctor.mjs')], {
      env: { PATH: process.env.PATH, NODE_ENV: 'production', DATABASE_URL, JWT_SECRET },
      encoding: 'utf8',
      // It waits for no lock for long; one that never ended would have no status.
      timeout: 60_000,
    })
    expect(doctor.stdout).toMatch(/^FAIL database: .* cannot be used: /m)
    expect(doctor.stdout).not.toMatch(/^\S+ +(passwords|clock):/m)
    expect(doctor.status).toBe(1)
    await end()
    await expect.poll(status).toBe(200)
    expect((await signInWithPassword(new Client(server), username)).status).toBe(200)
    expect([logged('"level":50'), logged('can be written to again')]).toEqual([1, 1])
  })

test("the health check of the container finds the server by PORT and HOST, also in the folder's .env", async ({
  server,
}) => {
  const folder = temporaryFolder('health')
  const statusWith = (host: string) => {
    writeFileSync(join(folder, '.env'), `PORT=${server.port}\nHOST=${host}\n`)
    const { PATH } = process.env
    return spawnSync(process.execPath, [resolve('build/healthy.mjs')], {
      cwd: folder,
      env: { PATH, NODE_ENV: 'production' },
    }).status
  }
  // What listens on all addresses answers at this machine's own.
  for (const host of ['', '0.0.0.0', '::']) expect(statusWith(host), host).toBe(0)
  // The server listens on 127.0.0.1 only.
  expect(statusWith('127.0.0.2')).toBe(1)
})
