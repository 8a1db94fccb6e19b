// The tests' own helpers, which are TypeScript: Node 20 cannot import them as they are.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { root } from './servers.mjs'

const names = ['authenticator', 'postgres', 'redis']
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

/** @typedef {typeof import('../support/authenticator') & typeof import('../support/postgres') & typeof import('../support/redis')} Support */
/** @type {Support} */
const support = await import(pathToFileURL(outfile).href)
export const { Authenticator, findPostgres, findRedis, startPostgres, startRedis } = support
