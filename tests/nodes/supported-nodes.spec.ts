import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'playwright/test'
import { PASSWORD, randomName, signInWithPassword, signUp } from '../support/accounts'
import { Client } from '../support/client'
import { expectSignedIn, expectSignedOut } from '../support/expectations'
import { freePort, untilConnectable } from '../support/machine/ports'
import { temporaryFolder } from '../support/machine/temporary-folder'
import { checkOut, type Installation, majors } from './installation'

/** Seconds of load; `LOAD_SECONDS=60` before a release. */
const loadSeconds = Number(process.env.LOAD_SECONDS ?? 4)
/** Forces a garbage collection every 20 ms, in a heap small enough for a leak to fill. */
const collecting = [
  '--expose-gc',
  '--max-old-space-size=128',
  '--import=data:text/javascript,setInterval(()=>gc(),20).unref()',
]
const unlimited = { NODE_ENV: 'production', RATE_LIMIT_ADDRESS_MAX: '1000000', RATE_LIMIT_LOGIN_MAX: '1000000' }
/** The unit specs that use this Node's SQLite driver. */
const storageSpecs = ['embedded-database', 'sqlite-migrations', 'purge', 'rate-limit-stores']
/** Theirs that start servers of their own, which another Node's load beside them could slow down. */
const withoutDriver = 'PostgreSQL|Redis|Upstash'

for (const major of majors) {
  test(`Node ${major} would install Latchkey, starts it, keeps every account under load with forced collections, and stops`, async () => {
    const installation = checkOut(major, process.env.INSTALLATION)
    const wouldInstall = installation.run('npm', ['ci', '--dry-run', '--omit=dev', '--no-audit', '--no-fund'])
    if (major > 20) expect(wouldInstall).not.toContain('EBADENGINE')
    else expect(wouldInstall).toContain('EBADENGINE')

    const data = temporaryFolder('data')
    const serve = async (command: 'node' | 'npm', words: string[], env: Record<string, string> = {}) => {
      const port = await freePort()
      const settings = {
        PORT: `${port}`,
        HOST: '127.0.0.1',
        DATABASE_URL: `file:${data}/latchkey.db`,
        BCRYPT_COST: '10',
      }
      const running = installation.start(command, words, { ...settings, ...env })
      await untilConnectable(port, running.child, Date.now() + 300_000)
      return { ...running, url: `http://127.0.0.1:${port}`, origin: `http://localhost:${port}` }
    }

    const first = await serve('npm', ['start'])
    expect((await new Client(first).get('/signin')).status).toBe(200)
    const { username } = await signUp(new Client(first))
    await first.stop()
    expect(first.output()).toContain('Latchkey is ready')
    expect(first.output()).not.toContain('Building')
    expect(first.output()).not.toContain('Warning')
    expect(existsSync(join(installation.folder, 'build/compile-cache'))).toBe(major > 20)

    const loaded = await serve('node', [...collecting, 'build/server.mjs'], unlimited)
    const accounts = await load(loaded, loadSeconds)
    expect(await loaded.stop(), loaded.output()).toBe(0)

    const last = await serve('node', ['build/server.mjs'], unlimited)
    expect((await signInWithPassword(new Client(last), username)).status).toBe(200)
    for (const { token, signedOut } of accounts)
      await (signedOut ? expectSignedOut : expectSignedIn)(new Client(last, { bearer: token }))
    expect(await last.stop()).toBe(0)
    installation.addTools()
    expectStorageSpecsToPass(installation)
    installation.remove()
  })
}

/**
 * Signs up, checks sessions and signs out from four clients at once, until the seconds are over and a dozen accounts stand,
 * however slow the machine is. @returns the accounts that were acknowledged
 */
async function load(server: { url: string; origin: string }, seconds: number) {
  const until = Date.now() + seconds * 1000
  const accounts: { token: string; signedOut: boolean }[] = []
  const act = async () => {
    while (Date.now() < until || accounts.length < 12) {
      const client = new Client(server)
      const { status, body } = await client.post('/api/signup', { username: randomName(), password: PASSWORD })
      // Collections slow hashing down, so the queue may reject some.
      if (status === 503) continue
      expect(status).toBe(201)
      for (let check = 0; check < 5; check++) expect((await client.post('/api/i')).status).toBe(200)
      const signedOut = accounts.length % 2 === 0
      if (signedOut) expect((await client.post('/api/signout')).status).toBe(204)
      accounts.push({ token: body.token, signedOut })
    }
  }
  await Promise.all(Array.from({ length: 4 }, act))
  return accounts
}

function expectStorageSpecsToPass(installation: Installation) {
  const words = ['node_modules/playwright/cli.js', 'test', '--project=unit', '--reporter=line']
  words.push('--grep-invert', withoutDriver, ...storageSpecs)
  const env = { PATH: `${installation.programs}:${process.env.PATH}` }
  expect(installation.run('node', words, env)).toMatch(/\d+ passed/)
}
