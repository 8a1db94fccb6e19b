import { spawnSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { executableFile } from '../support/executables.mjs'
import { announce, runQuietly } from '../support/step.mjs'
import { buildServer } from './build-server.mjs'
import { generateClients } from './generate.mjs'
import { productStamp, sourceDigest } from './source-digest.mjs'

/**
 * Builds Prisma's clients, what Node runs (esbuild), then the pages (Next). On Vercel it also checks the settings, and
 * migrates the database last: once per deployment, not at every cold start, and not for a build that fails.
 */
export async function buildProduct() {
  const onVercel = Boolean(process.env.VERCEL)
  const digest = sourceDigest()
  // A build that fails from here on leaves files of two sources.
  rmSync(productStamp, { force: true })
  await generateClients()
  await buildServer()
  if (onVercel) migrate('check')
  announce('Building the pages')
  await runQuietly([executableFile('next'), 'build'])
  if (onVercel) migrate()
  writeFileSync(productStamp, digest)
}

/** @param {string[]} args */
function migrate(...args) {
  const { status } = spawnSync(process.execPath, ['build/migrate.mjs', ...args], { stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}
