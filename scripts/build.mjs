// `npm run build`; with `--if-changed`, the first step of commands that need what is built.
import { ensureBuild, ensureServer } from './build/ensure.mjs'
import { readOptions } from './support/command-line.mjs'

const { ifChanged, serverOnly } = readOptions(
  'npm run build --',
  'Builds the product: the database clients, the server and the pages.',
  {
    '--if-changed': 'builds only what is missing or was built from another source',
    '--server-only': 'with --if-changed: leaves out the pages',
  },
)
if (serverOnly) await ensureServer()
else if (ifChanged) await ensureBuild()
else await import('./build/build-product.mjs').then(({ buildProduct }) => buildProduct())
