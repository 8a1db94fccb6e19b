import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { temporaryFolder } from '../support/machine/temporary-folder'
import { copyPackages, copySources } from '../support/project/checkout.mjs'

const root = resolve(import.meta.dirname, '../..')

/** Makes the fork of docs/your-app/fork.md from what a clone would have, changes that are not committed included, and builds it. */
export default function buildFork() {
  // Not below `build`: Tailwind would search every package there for class names, because Git ignores the folder.
  const folder = temporaryFolder('fork')
  process.env.FORK = folder
  copySources(folder)
  copyPackages(root, folder)
  addFilesOfFork(folder)
  const run = (...words: string[]) => execFileSync(process.execPath, words, { cwd: folder, stdio: 'inherit' })
  run('scripts/build.mjs')
  run('node_modules/typescript/bin/tsc')
  // The rest of `npm run check`: what the document shows must keep its rules, imports included.
  run('node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings', ...addedSources)
}

/** The code that docs/your-app/fork.md tells a fork to add. */
const addedSources = ['app/api/note', 'app/notes', 'lib/auth/accounts/note.ts']

/** What docs/your-app/fork.md tells a fork to add. */
function addFilesOfFork(folder: string) {
  const files = join(root, 'tests/your-app/fork')
  for (const path of addedSources) cpSync(join(files, path), join(folder, path), { recursive: true })
  const model = readFileSync(join(files, 'prisma/note.prisma'), 'utf8')
  for (const provider of ['sqlite', 'postgresql']) {
    const schema = join(folder, 'prisma', provider, 'schema.prisma')
    const text = readFileSync(schema, 'utf8')
    const withField = text.replace(/^model User \{\n/m, '$&  note Note?\n')
    writeFileSync(schema, `${withField}\n${model}`)
    const migration = join(folder, 'prisma', provider, 'migrations/20270101000000_note')
    mkdirSync(migration)
    cpSync(join(files, 'prisma/migration.sql'), join(migration, 'migration.sql'))
  }
}
