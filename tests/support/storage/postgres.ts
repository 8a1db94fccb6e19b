import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { freePort, untilConnectable } from '../machine/ports'
import { endProcess, killOnExit } from '../machine/processes'
import { folders } from '../machine/programs'
import { temporaryFolder } from '../machine/temporary-folder'

/** A PostgreSQL server for one test. */
export type Postgres = {
  readonly port: number
  /** Creates an empty database. @returns its URL */
  createDatabase(): string
  /** Runs SQL in the database `postgres`. */
  psql(sql: string): string
  /** Starts another server that replicates this one, which from now on acknowledges nothing that the other has not. */
  startStandby(): Promise<Standby>
  /** Kills all its processes at once, as when a machine fails. */
  crash(): Promise<void>
  /** Stops the server like `pg_ctl stop -m fast`. */
  halt(): Promise<void>
  /** Starts it again on the same port and data. */
  launch(): Promise<void>
  /** Stops it and removes its data. */
  stop(): Promise<void>
}

export type Standby = Postgres & {
  /** Makes it a primary, and waits until it is one. */
  promote(): void
}

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

/** The URL without `?schema=`, which PostgreSQL's own programs reject. */
export const withoutSchema = (url: string) => url.replace(/\?schema=[^&]*$/, '')

/** Options of a connection that find the tables of a URL with `?schema=` as Latchkey does. */
export function searchPath(url: string): string {
  const schema = new URL(url).searchParams.get('schema')
  return schema === null ? '' : `-c search_path="${schema}"`
}

export function dumpPostgres(url: string, ...options: string[]): string {
  const words = ['--no-owner', '--inserts', ...options, withoutSchema(url)]
  return execFileSync(join(findPostgres() ?? '', 'pg_dump'), words, { encoding: 'utf8', maxBuffer: 1 << 28 })
}

/** PostgreSQL does not run as root; Debian's package creates a user for it. */
export const asPostgresUser = (command: string, words: string[]): [string, string[]] =>
  process.getuid?.() === 0
    ? ['setpriv', ['--reuid=postgres', '--regid=postgres', '--clear-groups', command, ...words]]
    : [command, words]

/** Runs one of PostgreSQL's programs. */
function run(program: string, ...words: string[]): string {
  const [command, args] = asPostgresUser(join(findPostgres() ?? '', program), words)
  return execFileSync(command, args, { cwd: tmpdir(), stdio: 'pipe', encoding: 'utf8' })
}

/** @param settings such as `fsync=on`, which is off in tests */
export const startPostgres = (...settings: string[]): Promise<Postgres> =>
  startServer(
    (data) => run('initdb', '-D', data, '-U', 'latchkey', '-A', 'trust', '-E', 'UTF8', '--no-sync'),
    ...settings,
  )

async function startStandby({ port, psql }: Postgres): Promise<Standby> {
  const source = `host=127.0.0.1 port=${port} user=latchkey`
  const standby = await startServer((data) => {
    run('pg_basebackup', '-D', data, '-d', source, '--checkpoint=fast', '--no-sync')
    writeFileSync(join(data, 'standby.signal'), '')
  }, `primary_conninfo=${source} application_name=standby`)
  // Not copied to the standby: once promoted, it would wait for a standby of its own before each answer.
  psql("ALTER SYSTEM SET synchronous_standby_names = 'standby'")
  psql('SELECT pg_reload_conf()')
  const deadline = Date.now() + 30_000
  while (psql('SELECT sync_state FROM pg_stat_replication').trim() !== 'sync') {
    if (Date.now() > deadline) throw new Error('The standby does not replicate.')
    await delay(50)
  }
  return { ...standby, promote: () => void standby.psql('SELECT pg_promote(true, 30)') }
}

async function startServer(createData: (folder: string) => unknown, ...settings: string[]): Promise<Postgres> {
  const programs = findPostgres()
  if (programs === null) throw new Error('There is no PostgreSQL on this machine.')
  const data = temporaryFolder('postgres')
  if (process.getuid?.() === 0) execFileSync('chown', ['postgres', data])
  chmodSync(data, 0o700)
  createData(data)
  // Only now: making the data takes seconds, in which another process could take the port.
  const port = await freePort()
  let child: ChildProcess

  async function launch() {
    const options = ['fsync=off', ...settings].flatMap((setting) => ['-c', setting])
    const words = ['-D', data, '-p', String(port), '-h', '127.0.0.1', '-k', data, ...options]
    child = spawn(...asPostgresUser(join(programs as string, 'postgres'), words), { cwd: tmpdir(), stdio: 'ignore' })
    killOnExit(child)
    await untilConnectable(port, child)
    const deadline = Date.now() + 30_000
    while (!accepts()) {
      if (child.exitCode !== null || Date.now() > deadline)
        throw new Error(`PostgreSQL takes no connections at ${port}.`)
      await delay(50)
    }
  }
  const psql = (sql: string) =>
    run('psql', '-h', '127.0.0.1', '-p', String(port), '-U', 'latchkey', '-Atqc', sql, 'postgres')
  function accepts() {
    try {
      psql('SELECT 1')
      return true
    } catch {
      return false
    }
  }
  const halt = () => endProcess(child, 'SIGINT')
  async function crash() {
    const exit = once(child, 'exit')
    // Each backend has a process group of its own, and would finish its transaction.
    const backends = execFileSync('pgrep', ['-P', String(child.pid)], { encoding: 'utf8' })
      .trim()
      .split('\n')
    for (const pid of [child.pid as number, ...backends.map(Number)]) process.kill(pid, 'SIGKILL')
    await exit
  }
  await launch()
  const server: Postgres = {
    port,
    psql,
    crash,
    startStandby: () => startStandby(server),
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
  return server
}
