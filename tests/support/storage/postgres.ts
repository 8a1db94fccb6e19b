import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { freePort, untilConnectable } from '../machine/ports'
import { endProcess, killOnExit } from '../machine/processes'
import { temporaryFolder } from '../machine/temporary-folder'
import { asPostgresUser, findPostgres, postgresProgram, runAsPostgresUser } from './postgres-programs'

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

/** @param settings such as `fsync=on`, which is off in tests, as autovacuum is */
export const startPostgres = (...settings: string[]): Promise<Postgres> =>
  startPostgresServer(
    (data) => runAsPostgresUser('initdb', '-D', data, '-U', 'latchkey', '-A', 'trust', '-E', 'UTF8', '--no-sync'),
    ...settings,
  )

async function startStandby({ port, psql }: Postgres): Promise<Standby> {
  const source = `host=127.0.0.1 port=${port} user=latchkey`
  const standby = await startPostgresServer((data) => {
    runAsPostgresUser('pg_basebackup', '-D', data, '-d', source, '--checkpoint=fast', '--no-sync')
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

async function startPostgresServer(createData: (folder: string) => unknown, ...settings: string[]): Promise<Postgres> {
  if (findPostgres() === null) throw new Error('There is no PostgreSQL on this machine.')
  const data = temporaryFolder('postgres')
  if (process.getuid?.() === 0) execFileSync('chown', ['postgres', data])
  chmodSync(data, 0o700)
  createData(data)
  // Only now: making the data takes seconds, in which another process could take the port.
  const port = await freePort()
  let child: ChildProcess

  async function launch() {
    const options = ['fsync=off', 'autovacuum=off', ...settings].flatMap((setting) => ['-c', setting])
    const words = ['-D', data, '-p', String(port), '-h', '127.0.0.1', '-k', data, ...options]
    child = spawn(...asPostgresUser(postgresProgram('postgres'), words), { cwd: tmpdir(), stdio: 'ignore' })
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
    runAsPostgresUser('psql', '-h', '127.0.0.1', '-p', String(port), '-U', 'latchkey', '-Atqc', sql, 'postgres')
  function accepts() {
    try {
      psql('SELECT 1')
      return true
    } catch {
      return false
    }
  }
  const halt = () => endProcess(child, 'SIGINT')
  await launch()
  const server: Postgres = {
    port,
    psql,
    crash: () => killWithBackends(child),
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

async function killWithBackends(server: ChildProcess): Promise<void> {
  const exit = once(server, 'exit')
  // Each backend has a process group of its own, and would finish its transaction.
  const backends = execFileSync('pgrep', ['-P', String(server.pid)], { encoding: 'utf8' })
    .trim()
    .split('\n')
  for (const pid of [server.pid as number, ...backends.map(Number)]) process.kill(pid, 'SIGKILL')
  await exit
}
