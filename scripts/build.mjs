// Builds the product: Prisma's client, the server and its hash worker (esbuild), then the pages (Next).
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { build } from 'esbuild'
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
await import('./build-worker.mjs')
await build({
  entryPoints: ['server.ts'],
  outfile: 'build/server.mjs',
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'esm',
  packages: 'external',
  sourcemap: true,
  logLevel: 'warning',
})
run('next', 'build')
writeFileSync(stampFile, digest)
