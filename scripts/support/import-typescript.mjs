import { rmSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'

/**
 * Loads the table of endpoints, and the names of its schemas.
 *
 * @returns {Promise<typeof import('../../lib/api/openapi')>}
 */
export const loadContract = () => importTypeScript('lib/api/openapi.ts')

/**
 * Imports a module that is TypeScript.
 *
 * @param {string} file
 */
export async function importTypeScript(file) {
  // In the project, so that it finds node_modules, and of this process alone.
  const outfile = `build/${basename(file, '.ts')}-${process.pid}.mjs`
  await build({ entryPoints: [file], outfile, bundle: true, platform: 'node', format: 'esm', packages: 'external' })
  try {
    return await import(pathToFileURL(resolve(outfile)).href)
  } finally {
    rmSync(outfile)
  }
}
