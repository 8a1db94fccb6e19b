import { rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'

// In the project, so that it finds node_modules, and of this process alone.
const outfile = `build/contract-${process.pid}.mjs`

/**
 * Loads the table of endpoints, which is TypeScript, and what is derived from it.
 *
 * @returns {Promise<typeof import('../lib/api/openapi')>}
 */
export async function loadContract() {
  const entryPoints = ['lib/api/openapi.ts']
  await build({ entryPoints, outfile, bundle: true, platform: 'node', format: 'esm', packages: 'external' })
  try {
    return await import(pathToFileURL(resolve(outfile)).href)
  } finally {
    rmSync(outfile)
  }
}
