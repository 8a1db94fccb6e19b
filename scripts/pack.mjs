// `npm run pack` and `npm run pack:kit`: what other projects install, as packages of npm's.
import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { ensureBuild } from './build/ensure.mjs'
import { readOptions } from './support/command-line.mjs'
import { announce } from './support/step.mjs'

const { kit } = readOptions(
  'npm run pack --',
  'Packs the service, for all platforms, as build/latchkey-VERSION.tgz. Takes bash.',
  { '--kit': 'compiles packages/kit and packs it alone, as build/latchkey-kit-VERSION.tgz' },
)
if (kit) packKit()
else await packService()

/** Packs what an image holds. */
async function packService() {
  await ensureBuild()
  announce('Packing')
  const work = mkdtempSync(join(tmpdir(), 'latchkey-pack-'))
  try {
    const tree = join(work, 'tree')
    run('bash', ['scripts/image.sh', tree], { ...process.env, ALL_PLATFORMS: '1' })
    copyFileSync('docs/node.md', join(tree, 'README.md'))
    mkdirSync(join(tree, 'docs'))
    copyFileSync('docs/llms.txt', join(tree, 'docs/llms.txt'))
    pack(tree)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

function packKit() {
  const folder = 'build/kit'
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  run(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'packages/kit'])
  for (const name of ['package.json', 'README.md']) copyFileSync(join('packages/kit', name), join(folder, name))
  copyFileSync('LICENSE', join(folder, 'LICENSE'))
  pack(resolve(folder))
}

/** @param {string} folder absolute: npm takes two relative names for a repository on GitHub */
function pack(folder) {
  run('npm', ['pack', folder, '--ignore-scripts', '--silent', '--pack-destination', resolve('build')])
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
