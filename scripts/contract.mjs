import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'

const outfile = 'build/contract.mjs'

/**
 * Loads the table of endpoints, which is TypeScript, and what is derived from it.
 *
 * @returns {Promise<typeof import('../lib/api/openapi')>}
 */
export async function loadContract() {
  const entryPoints = ['lib/api/openapi.ts']
  await build({ entryPoints, outfile, bundle: true, platform: 'node', format: 'esm', packages: 'external' })
  return import(pathToFileURL(resolve(outfile)).href)
}
