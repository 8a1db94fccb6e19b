import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { freePort, killOnExit, untilConnectable } from './processes'

/** A PostgreSQL server for one test. */
export type Postgres = {
  readonly port: number
  /** Creates an empty database. @returns its URL */
  createDatabase(): string
  /** Stops the server like `pg_ctl stop -m fast`. */
  halt(): Promise<void>
  /** Starts it again on the same port and data. */
  launch(): Promise<void>
  /** Stops it and removes its data. */
  stop(): Promise<void>
}

/** The folder of PostgreSQL's programs, or null. Debian keeps them off the PATH. */
export function findPostgres(): string | null {
  const root = '/usr/lib/postgresql'
  const debian = existsSync(root) ? readdirSync(root).map((version) => join(root, version, 'bin')) : []
  const folders = [...(process.env.PATH ?? '').split(':'), ...debian]
  return (
    folders.find((folder) => ['initdb', 'postgres', 'psql'].every((name) => existsSync(join(folder, name)))) ?? null
  )
}

/** The URL without `?schema=`, which PostgreSQL's own programs reject. */
export const withoutSchema = (url: string) => url.replace(/\?schema=[^&]*$/, '')

export function dumpPostgres(url: string, ...options: string[]): string {
  const words = ['--no-owner', '--inserts', ...options, withoutSchema(url)]
  return execFileSync(join(findPostgres() ?? '', 'pg_dump'), words, { encoding: 'utf8', maxBuffer: 1 << 28 })
}

/** PostgreSQL refuses to run as root; Debian's package creates a user for it. */
export const asPostgresUser = (command: string, words: string[]): [string, string[]] =>
  process.getuid?.() === 0
    ? ['setpriv', ['--reuid=postgres', '--regid=postgres', '--clear-groups', command, ...words]]
    : [command, words]

export async function startPostgres(): Promise<Postgres> {
  const programs = findPostgres()
  if (programs === null) throw new Error('There is no PostgreSQL on this machine.')
  const data = mkdtempSync(join(tmpdir(), 'latchkey-postgres-'))
  const port = await freePort()
  if (process.getuid?.() === 0) execFileSync('chown', ['postgres', data])
  chmodSync(data, 0o700)
  execFileSync(
    ...asPostgresUser(join(programs, 'initdb'), [
      '-D',
      data,
      '-U',
      'latchkey',
      '-A',
      'trust',
      '-E',
      'UTF8',
      '--no-sync',
    ]),
    { cwd: tmpdir() },
  )
  let child: ChildProcess

  async function launch() {
    const words = ['-D', data, '-p', String(port), '-h', '127.0.0.1', '-k', data, '-c', 'fsync=off']
    child = spawn(...asPostgresUser(join(programs as string, 'postgres'), words), { cwd: tmpdir(), stdio: 'ignore' })
    killOnExit(child)
    await untilConnectable(port, child)
    const deadline = Date.now() + 30_000
    while (!accepts()) {
      if (child.exitCode !== null || Date.now() > deadline) throw new Error('PostgreSQL takes no connections.')
      await delay(50)
    }
  }
  const psql = (sql: string) =>
    execFileSync(
      join(programs as string, 'psql'),
      ['-h', '127.0.0.1', '-p', String(port), '-U', 'latchkey', '-qc', sql, 'postgres'],
      { stdio: 'pipe' },
    )
  function accepts() {
    try {
      psql('SELECT 1')
      return true
    } catch {
      return false
    }
  }
  async function halt() {
    if (child.exitCode !== null) return
    const exit = once(child, 'exit')
    child.kill('SIGINT')
    await exit
  }
  await launch()
  return {
    port,
    createDatabase() {
      const name = `latchkey_${randomBytes(6).toString('hex')}`
      psql(`CREATE DATABASE ${name}`)
      return `postgresql://latchkey@127.0.0.1:${port}/${name}`
    },
    halt,
    launch,
    async stop() {
      await halt()
      rmSync(data, { recursive: true, force: true })
    },
  }
}
