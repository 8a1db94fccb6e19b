// The tests' own helpers, which are TypeScript: Node 20 cannot import them as they are.
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, stop } from 'esbuild'

export const root = resolve(import.meta.dirname, '../..')

const names = [
  'webauthn/authenticator',
  'storage/postgres',
  'storage/postgres-programs',
  'machine/ports',
  'machine/processes',
  'storage/redis',
]
// Below the project, where Node finds its packages.
const outfile = join(root, 'build/bench-support.mjs')
await build({
  stdin: {
    contents: names.map((name) => `export * from './tests/support/${name}'`).join('\n'),
    resolveDir: root,
    loader: 'ts',
  },
  outfile,
  bundle: true,
  platform: 'node',
  format: 'esm',
  packages: 'external',
})
await stop()

/**
 * @typedef {typeof import('../support/webauthn/authenticator') & typeof import('../support/storage/postgres')
 *   & typeof import('../support/storage/postgres-programs')
 *   & typeof import('../support/machine/ports') & typeof import('../support/machine/processes')
 *   & typeof import('../support/storage/redis')} Support
 */
/** @type {Support} */
const support = await import(pathToFileURL(outfile).href)
export const { Authenticator, findPostgres, findRedis, freePort, killOnExit, startPostgres, startRedis } = support
