import { spawnSync } from 'node:child_process'
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

/**
 * Runs an executable in node_modules and shows its output. Exits with its status if it fails.
 *
 * @param {string} name
 * @param {string[]} args
 */
export function runExecutable(name, ...args) {
  const { status } = spawnSync(process.execPath, [executableFile(name), ...args], { stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}
