// Applications to compare with, which are kept below build/ from run to run.
import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { environment } from './servers.mjs'
import { root } from './support.mjs'

/** @param {string} name */
export function appFolder(name) {
  const app = join(root, 'build/peers', name)
  mkdirSync(app, { recursive: true })
  return app
}

/** @param {string} app @param {string[]} words after `node` @param {Record<string, string>} [settings] */
export const run = (app, words, settings = {}) =>
  execFileSync(process.execPath, words, {
    cwd: app,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: environment(settings),
  })
