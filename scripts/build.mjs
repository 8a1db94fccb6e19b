// Builds the product: Prisma's clients, what Node runs (esbuild), then the pages (Next). On Vercel it also checks the
// settings, and migrates the database last: once per deployment, not at every cold start, and not for a build that fails.
import './programs/broken-pipe.mjs'
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { programFile } from './build/run.mjs'
import { sourceDigest, stampFile } from './build/source-digest.mjs'
import { announce, runQuietly } from './build/step.mjs'

const onVercel = Boolean(process.env.VERCEL)
const digest = sourceDigest()
await import('./generate.mjs')
await import('./build-node.mjs')
if (onVercel) migrate('check')
announce('Building the pages')
await runQuietly([programFile('next'), 'build'])
if (onVercel) migrate()
writeFileSync(stampFile, digest)

/** @param {string[]} words */
function migrate(...words) {
  const { status } = spawnSync(process.execPath, ['build/migrate.mjs', ...words], { stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}
