import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const require = createRequire(import.meta.url)

/**
 * The script of an executable in node_modules, to run with Node: without a shell, and without npx and its notices.
 *
 * @param {string} name
 */
export function executableFile(name) {
  const manifest = require.resolve(`${name}/package.json`)
  return join(dirname(manifest), require(manifest).bin[name])
}
