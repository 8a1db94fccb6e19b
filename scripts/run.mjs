import { spawnSync } from 'node:child_process'

/**
 * Runs a program of node_modules, its output shown; ends this process if it fails.
 *
 * @param {string[]} words
 */
export function run(...words) {
  const { status } = spawnSync('npx', ['--no-install', ...words], {
    stdio: 'inherit',
    shell: process.platform === 'win32',
  })
  if (status !== 0) process.exit(status ?? 1)
}
