import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { folders } from '../machine/programs'

/** The folder of PostgreSQL's programs, or null. Debian keeps them off the PATH. */
export function findPostgres(): string | null {
  const root = '/usr/lib/postgresql'
  const debian = existsSync(root) ? readdirSync(root).map((version) => join(root, version, 'bin')) : []
  return (
    [...folders, ...debian].find((folder) =>
      ['initdb', 'postgres', 'psql'].every((name) => existsSync(join(folder, name))),
    ) ?? null
  )
}

export const postgresProgram = (name: string) => join(findPostgres() ?? '', name)

/** The URL without `?schema=`, which PostgreSQL's own programs reject. */
export const withoutSchema = (url: string) => url.replace(/\?schema=[^&]*$/, '')

/** Options of a connection that find the tables of a URL with `?schema=` as Latchkey does. */
export function searchPath(url: string): string {
  const schema = new URL(url).searchParams.get('schema')
  return schema === null ? '' : `-c search_path="${schema}"`
}

export function dumpPostgres(url: string, ...options: string[]): string {
  const words = ['--no-owner', '--inserts', ...options, withoutSchema(url)]
  return execFileSync(postgresProgram('pg_dump'), words, { encoding: 'utf8', maxBuffer: 1 << 28 })
}

/** PostgreSQL does not run as root; Debian's package creates a user for it. */
export const asPostgresUser = (command: string, words: string[]): [string, string[]] =>
  process.getuid?.() === 0
    ? ['setpriv', ['--reuid=postgres', '--regid=postgres', '--clear-groups', command, ...words]]
    : [command, words]

/** Runs one of PostgreSQL's programs as the user who may run its server. */
export function runAsPostgresUser(program: string, ...words: string[]): string {
  const [command, args] = asPostgresUser(postgresProgram(program), words)
  return execFileSync(command, args, { cwd: tmpdir(), stdio: 'pipe', encoding: 'utf8' })
}
