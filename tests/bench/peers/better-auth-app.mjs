// better-auth as its documentation sets it up: an application of Next of its own, the folder better-auth beside this file, on
// an embedded database that waits for the disk as Latchkey's does. It is no dependency of the product: it is installed
// below build/, once.
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { onceFor } from '../../support/project/once-for.mjs'
import { appFolder, run } from '../built-apps.mjs'
import { folder, start } from '../servers.mjs'
import { freePort, root } from '../support.mjs'

const product = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).dependencies

/** The same Next and React as the product's, so that only what stands on them differs. */
export const packages = {
  'better-auth': '1.7.6',
  // Its plugin asks for exactly these, while npm would take the newest core, which asks for others.
  '@better-auth/core': '1.7.6',
  '@better-auth/utils': '0.4.2',
  '@better-auth/passkey': '1.7.6',
  'better-sqlite3': '12.11.1',
  bcrypt: '6.0.0',
  next: product.next,
  react: product.react,
  'react-dom': product['react-dom'],
}

const source = join(import.meta.dirname, 'better-auth')
const app = appFolder('better-auth')
const program = 'node_modules/next/dist/bin/next'

/** Installs and builds it unless that was done before. */
export function buildBetterAuth() {
  const manifest = JSON.stringify({ private: true, type: 'module', dependencies: packages })
  onceFor(app, 'install', [manifest], () => {
    console.log('       installing better-auth; without a built better-sqlite3 for this machine, minutes of compiling')
    writeFileSync(join(app, 'package.json'), manifest)
    // better-sqlite3 is compiled or fetched by its install script, while `npm run` hands this repository's ignore-scripts on.
    const words = ['install', '--ignore-scripts=false', '--no-audit', '--no-fund', '--loglevel=error']
    execFileSync('npm', words, { cwd: app, stdio: 'inherit' })
  })
  const files = readdirSync(source, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const texts = files.map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8'))
  // What Next builds names its folder; what npm installs does not, and may be copied from another clone.
  onceFor(app, 'build', [app, manifest, ...texts], () => {
    console.log('       building better-auth')
    for (const name of readdirSync(source)) rmSync(join(app, name), { recursive: true, force: true })
    cpSync(source, app, { recursive: true })
    const settings = settingsOf(join(folder, 'unused.db'), 0)
    // Its library warns of a database without tables.
    run(app, ['migrate.js'], settings)
    run(app, [program, 'build'], settings)
  })
}

/** @param {string} database @param {number} port */
const settingsOf = (database, port) => ({
  DATABASE_FILE: database,
  ORIGIN: `http://localhost:${port}`,
  SECRET: randomBytes(32).toString('base64'),
  // Where Node hashes: as many threads as Latchkey's own pool has.
  UV_THREADPOOL_SIZE: String(availableParallelism()),
  BETTER_AUTH_TELEMETRY: '0',
})

/**
 * Creates an empty database for it.
 *
 * @param {Record<string, string>} [more] settings
 * @returns its settings, and a function that starts it there
 */
export async function prepareBetterAuth(more = {}) {
  const port = await freePort()
  const settings = { ...settingsOf(join(folder, `${randomBytes(6).toString('hex')}.db`), port), ...more }
  run(app, ['migrate.js'], settings)
  return {
    settings,
    start() {
      const words = [program, 'start', '-H', '127.0.0.1', '-p', String(port)]
      // By then it has loaded the library and opened the database, as Latchkey has when it says that it is healthy.
      return start({ cwd: app, words, path: '/api/auth/get-session', port, settings })
    },
  }
}
