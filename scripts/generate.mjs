// Generates Prisma's client for each database: one build serves both.
import { programFile } from './run.mjs'
import { announce, runQuietly } from './step.mjs'

const chatter = /^(Loaded Prisma config|Prisma schema loaded) from /

announce('Generating the database clients')
for (const provider of ['sqlite', 'postgresql']) {
  const words = ['generate', '--no-hints', '--schema', `prisma/${provider}/schema.prisma`]
  await runQuietly([programFile('prisma'), ...words], chatter)
}
