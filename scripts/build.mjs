// Builds the product: Prisma's clients, what Node runs (esbuild), then the pages (Next).
import { writeFileSync } from 'node:fs'
import { run } from './run.mjs'
import { sourceDigest, stampFile } from './source-digest.mjs'

const digest = sourceDigest()
await import('./generate.mjs')
await import('./build-node.mjs')
run('next', 'build')
writeFileSync(stampFile, digest)
