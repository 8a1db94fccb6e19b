import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const require = createRequire(import.meta.url)

/**
 * The file that Node runs for a program of node_modules. Calling it directly needs no shell on any platform, and no npx,
 * which prints notices of its own.
 *
 * @param {string} name
 */
export function programFile(name) {
  const manifest = require.resolve(`${name}/package.json`)
  return join(dirname(manifest), require(manifest).bin[name])
}

/**
 * Runs a program of node_modules, its output shown; ends this process if it fails.
 *
 * @param {string} name
 * @param {string[]} words
 */
export function run(name, ...words) {
  const { status } = spawnSync(process.execPath, [programFile(name), ...words], { stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}
