import { execFileSync, spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort, untilConnectable } from '../machine/ports'
import { killOnExit } from '../machine/processes'
import { findProgram } from '../machine/programs'
import { temporaryFolder } from '../machine/temporary-folder'
import { asPostgresUser } from './postgres-programs'

/** The path of PgBouncer, or null. */
export const findPgbouncer = () => findProgram('pgbouncer')

export type Pgbouncer = {
  /** The URL of the database through it. */
  url: string
  /** Makes it use the server on another port, as `RELOAD` on its console does. */
  pointTo(port: number): void
  stop(): void
}

/** Starts PgBouncer in transaction mode, with fewer connections than Latchkey would open. */
export async function startPgbouncer(databaseUrl: string): Promise<Pgbouncer> {
  const folder = temporaryFolder('pgbouncer')
  const url = new URL(databaseUrl)
  const port = await freePort()
  const lines = (serverPort: number | string) => [
    '[databases]',
    `* = host=127.0.0.1 port=${serverPort} user=${url.username}`,
    '[pgbouncer]',
    `listen_addr = 127.0.0.1`,
    `listen_port = ${port}`,
    'auth_type = any',
    'pool_mode = transaction',
    'default_pool_size = 3',
    // Seconds; the default of 15 is how long it would not try again after a failover.
    'server_login_retry = 1',
    'unix_socket_dir =',
    `logfile = ${join(folder, 'log')}`,
  ]
  const pointTo = (serverPort: number | string) =>
    writeFileSync(join(folder, 'pgbouncer.ini'), lines(serverPort).join('\n'))
  pointTo(url.port)
  if (process.getuid?.() === 0) execFileSync('chown', ['-R', 'postgres', folder])
  const program = asPostgresUser(findPgbouncer() ?? '', ['-q', join(folder, 'pgbouncer.ini')])
  const child = spawn(...program, { stdio: 'ignore' })
  killOnExit(child)
  await untilConnectable(port, child)
  url.port = String(port)
  return {
    url: url.href,
    pointTo(serverPort) {
      pointTo(serverPort)
      child.kill('SIGHUP')
    },
    stop: () => void child.kill('SIGTERM'),
  }
}
