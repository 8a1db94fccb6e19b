import { writeFileSync } from 'node:fs'
import { loadContract } from '../support/import-typescript.mjs'
import { announce, executableFile, runQuietly } from '../support/step.mjs'

const chatter = /^(Loaded Prisma config|Prisma schema loaded) from /

/** Generates the Prisma clients for both databases, because one build serves either. */
export async function generateClients() {
  announce('Generating the database clients')
  for (const provider of ['sqlite', 'postgresql']) {
    const args = ['generate', '--no-hints', '--schema', `prisma/${provider}/schema.prisma`]
    await runQuietly([executableFile('prisma'), ...args], chatter)
  }
}

const comment = `/*
 * Written by \`npm run generate\`: what server.ts answers without Next, the route file of each path of the table of endpoints.
 * A row without its handler, or a handler at another path, does not compile.
 */`

/** Writes `app/handlers.ts` from the table of endpoints. */
export async function generateHandlers() {
  const { rows } = await loadContract()
  const paths = [...new Set(rows.map(({ path }) => path))].sort()
  /** @param {string} path `/api/i/apps/revoke` is `apiIAppsRevoke` */
  const nameOf = (path) => path.replace(/^\W+/, '').replace(/[^A-Za-z]+(.)/g, (_, letter) => letter.toUpperCase())
  const lines = [
    comment,
    '',
    "import type { Handlers } from '@/lib/http/dispatch'",
    ...paths.map((path) => `import * as ${nameOf(path)} from '.${path}/route'`),
    '',
    'export const handlers: Handlers = {',
    ...paths.map((path) => `  '${path}': ${nameOf(path)},`),
    '}',
    '',
  ]
  writeFileSync('app/handlers.ts', lines.join('\n'))
}
