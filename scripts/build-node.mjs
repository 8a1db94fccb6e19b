// Bundles what Node runs by itself: the server, the doctor, migrations, a container's health check, and the hash worker with bcryptjs inside.
import { rmSync, writeFileSync } from 'node:fs'
import { build } from 'esbuild'
import { serverStampFile, sourceDigest } from './source-digest.mjs'
import { announce } from './step.mjs'

const common = /** @type {const} */ ({
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'esm',
  outdir: 'build',
  outExtension: { '.js': '.mjs' },
  logLevel: 'warning',
})

announce('Building the server')
const digest = sourceDigest()
rmSync('build/chunks', { recursive: true, force: true })
await build({
  ...common,
  entryPoints: ['server.ts', 'scripts/doctor.ts', 'scripts/migrate.ts', 'scripts/healthy.ts'],
  entryNames: '[name]',
  packages: 'external',
  // A module that is imported on demand gets a file of its own; inlined, the packages that it imports would load at start.
  splitting: true,
  chunkNames: 'chunks/[name]-[hash]',
  sourcemap: true,
})
await build({ ...common, entryPoints: ['lib/auth/hash-worker.mjs'], entryNames: '[name]' })
writeFileSync(serverStampFile, digest)
