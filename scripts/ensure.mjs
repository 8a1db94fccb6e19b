// `node scripts/ensure.mjs` builds the product unless it was built from this source; `node scripts/ensure.mjs server` only what Node runs.
import './support/command-line.mjs'
import { ensureBuild, ensureServer } from './build/ensure.mjs'

await (process.argv[2] === 'server' ? ensureServer() : ensureBuild())
