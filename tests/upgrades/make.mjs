// Keeps a database of each kind as a version of Latchkey leaves it: `node tests/upgrades/make.mjs [checkout]`, where the
// checkout, this one unless given, is installed and built. README.md says more.
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, stop } from 'esbuild'

const root = resolve(import.meta.dirname, '../..')
// The tests' own helpers are TypeScript, which Node 20 cannot import; below the project, Node finds their packages.
const outfile = resolve(root, 'build/keep-databases.mjs')
await build({
  entryPoints: [resolve(import.meta.dirname, 'keep-databases.ts')],
  outfile,
  bundle: true,
  platform: 'node',
  format: 'esm',
  packages: 'external',
})
await stop()
/** @type {typeof import('./keep-databases')} */
const { keepDatabases } = await import(pathToFileURL(outfile).href)
await keepDatabases(resolve(process.argv[2] ?? root), import.meta.dirname)
