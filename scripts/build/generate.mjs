import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { loadContract } from '../support/import-typescript.mjs'
import { announce, executableFile, runQuietly } from '../support/step.mjs'

const chatter = /^(Loaded Prisma config|Prisma schema loaded) from /

const schema = 'prisma/schema.prisma'
const generated = 'lib/database/generated'

/**
 * Generates a Prisma client for each database, because one build serves either. A schema names one provider: PostgreSQL's is a
 * copy.
 */
export async function generateClients() {
  announce('Generating the database clients')
  const copy = `${generated}/postgresql.prisma`
  mkdirSync(generated, { recursive: true })
  const ofPostgres = readFileSync(schema, 'utf8')
    .replace('provider = "sqlite"', 'provider = "postgresql"')
    .replace(`"../${generated}/sqlite"`, '"./postgresql"')
  writeFileSync(copy, ofPostgres)
  for (const path of [schema, copy])
    await runQuietly([executableFile('prisma'), 'generate', '--no-hints', '--schema', path], chatter)
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
    "import type { Handlers } from '@/lib/http/route'",
    ...paths.map((path) => `import * as ${nameOf(path)} from '.${path}/route'`),
    '',
    'export const handlers: Handlers = {',
    ...paths.map((path) => `  '${path}': ${nameOf(path)},`),
    '}',
    '',
  ]
  writeFileSync('app/handlers.ts', lines.join('\n'))
}
