import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync } from 'node:fs'
import { delimiter, dirname, join, resolve } from 'node:path'
import { nodeBinary } from '../../nodes/installation'
import { temporaryFolder } from '../../support/machine/temporary-folder'
import type { App } from '../apps'

const folder = resolve('build/products/actual')
const driver = join(folder, 'node_modules/better-sqlite3')

/** Installs the server of Actual Budget unless it is there, for the Node that it needs. @returns that Node */
export function installActual(): string {
  const node = nodeBinary(22)
  const env = {
    ...process.env,
    PATH: `${dirname(node)}${delimiter}${process.env.PATH}`,
    // The package of Node has its headers, which node-gyp would load from elsewhere.
    npm_config_nodedir: resolve(dirname(node), '..'),
  }
  const run = (...words: string[]) =>
    execFileSync('npm', words, { cwd: folder, env, stdio: ['ignore', 'ignore', 'inherit'] })
  mkdirSync(folder, { recursive: true })
  cpSync(join(import.meta.dirname, 'actual'), folder, { recursive: true })
  if (!existsSync(driver)) run('ci', '--no-audit', '--no-fund', '--loglevel=error')
  // Its install script fetches or compiles it, while `npm run` hands this repository's ignore-scripts on.
  if (!existsSync(join(driver, 'build/Release/better_sqlite3.node')))
    run('rebuild', 'better-sqlite3', '--ignore-scripts=false', '--loglevel=error')
  return node
}

/** Starts it as its own documents say, in a folder of its own. */
export async function runActual(app: App, node: string, latchkey: string): Promise<void> {
  const data = temporaryFolder('actual')
  await app.run(node, [join(folder, 'node_modules/@actual-app/sync-server/build/app.js')], {
    ACTUAL_DATA_DIR: data,
    ACTUAL_HOSTNAME: '127.0.0.1',
    ACTUAL_PORT: `${app.port}`,
    ACTUAL_OPENID_DISCOVERY_URL: latchkey,
    ACTUAL_OPENID_CLIENT_ID: app.id,
    ACTUAL_OPENID_CLIENT_SECRET: app.secret ?? '',
    ACTUAL_OPENID_SERVER_HOSTNAME: app.origin,
  })
}
