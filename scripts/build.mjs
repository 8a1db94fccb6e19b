// Builds the product: Prisma's client, what Node runs (esbuild), then the pages (Next).
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { sourceDigest, stampFile } from './source-digest.mjs'

/** @param {string[]} words */
function run(...words) {
  const { status } = spawnSync('npx', ['--no-install', ...words], {
    stdio: 'inherit',
    shell: process.platform === 'win32',
  })
  if (status !== 0) process.exit(status ?? 1)
}

const digest = sourceDigest()
run('prisma', 'generate')
await import('./build-node.mjs')
run('next', 'build')
writeFileSync(stampFile, digest)
