// Applications to compare with, which are kept below build/ from run to run.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { environment } from './servers.mjs'
import { root } from './support.mjs'

/** @param {string} name */
export function appFolder(name) {
  const app = join(root, 'build/peers', name)
  mkdirSync(app, { recursive: true })
  return app
}

/**
 * Takes a step in the folder of an application unless it was taken before for the same texts.
 *
 * @param {string} app
 * @param {string} step
 * @param {string[]} texts what decides the outcome
 * @param {() => void} take
 */
export function onceFor(app, step, texts, take) {
  const digest = createHash('sha256')
    .update(JSON.stringify([process.version, ...texts]))
    .digest('hex')
  const stamp = join(app, `${step}-digest`)
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === digest) return
  take()
  writeFileSync(stamp, digest)
}

/** @param {string} app @param {string[]} words after `node` @param {Record<string, string>} [settings] */
export const run = (app, words, settings = {}) =>
  execFileSync(process.execPath, words, {
    cwd: app,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: environment(settings),
  })
