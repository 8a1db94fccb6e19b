import { executableFile } from '../support/executables.mjs'
import { announce, runQuietly } from '../support/step.mjs'

const chatter = /^(Loaded Prisma config|Prisma schema loaded) from /

/** Generates the Prisma clients for both databases, because one build serves either. */
export async function generateClients() {
  announce('Generating the database clients')
  for (const provider of ['sqlite', 'postgresql']) {
    const args = ['generate', '--no-hints', '--schema', `prisma/${provider}/schema.prisma`]
    await runQuietly([executableFile('prisma'), ...args], chatter)
  }
}
