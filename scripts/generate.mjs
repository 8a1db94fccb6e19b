// Generates the Prisma clients for both databases, because one build serves either.
import './programs/broken-pipe.mjs'
import { programFile } from './build/run.mjs'
import { announce, runQuietly } from './build/step.mjs'

const chatter = /^(Loaded Prisma config|Prisma schema loaded) from /

announce('Generating the database clients')
for (const provider of ['sqlite', 'postgresql']) {
  const args = ['generate', '--no-hints', '--schema', `prisma/${provider}/schema.prisma`]
  await runQuietly([programFile('prisma'), ...args], chatter)
}
