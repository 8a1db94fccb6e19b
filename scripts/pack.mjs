// `npm run pack`: the service as a package of npm's, from what an image holds.
import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { ensureBuild } from './build/ensure.mjs'
import { readOptions } from './support/command-line.mjs'
import { announce } from './support/step.mjs'

readOptions('npm run pack --', 'Packs the service, for all platforms, as build/latchkey-VERSION.tgz. Takes bash.')
await ensureBuild()
announce('Packing')
const work = mkdtempSync(join(tmpdir(), 'latchkey-pack-'))
try {
  const tree = join(work, 'tree')
  run('bash', ['scripts/image.sh', tree], { ...process.env, ALL_PLATFORMS: '1' })
  copyFileSync('docs/node.md', join(tree, 'README.md'))
  mkdirSync(join(tree, 'docs'))
  copyFileSync('docs/llms.txt', join(tree, 'docs/llms.txt'))
  run('npm', ['pack', tree, '--ignore-scripts', '--silent', '--pack-destination', resolve('build')])
} finally {
  rmSync(work, { recursive: true, force: true })
}

/** @param {string} program @param {string[]} words */
function run(program, words, env = process.env) {
  const { status, stderr, error } = spawnSync(program, words, {
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'inherit', 'pipe'],
  })
  if (error) throw error
  if (status !== 0) throw new Error(`${program} ${words.join(' ')} ended with ${status}:\n${stderr}`)
}
