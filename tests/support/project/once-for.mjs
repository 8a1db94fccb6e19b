import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Takes a step in a folder unless it was taken there before, by the same version of Node and for the same texts.
 *
 * @param {string} folder
 * @param {string} step
 * @param {string[]} texts what decides the outcome
 * @param {() => void} take
 */
export function onceFor(folder, step, texts, take) {
  const digest = createHash('sha256')
    .update(JSON.stringify([process.version, ...texts]))
    .digest('hex')
  const stamp = join(folder, `${step}-digest`)
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === digest) return
  take()
  writeFileSync(stamp, digest)
}
