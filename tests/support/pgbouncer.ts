import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { asPostgresUser } from './postgres'
import { freePort, killOnExit, untilConnectable } from './processes'

/** The path of PgBouncer, or null. */
export const findPgbouncer = () =>
  ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer'].find((path) => existsSync(path)) ?? null

/** Starts PgBouncer in transaction mode, with fewer connections than Latchkey would open. @returns the URL through it */
export async function startPgbouncer(databaseUrl: string): Promise<{ url: string; stop(): void }> {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-pgbouncer-'))
  const url = new URL(databaseUrl)
  const port = await freePort()
  const lines = [
    '[databases]',
    `* = host=127.0.0.1 port=${url.port} user=${url.username}`,
    '[pgbouncer]',
    `listen_addr = 127.0.0.1`,
    `listen_port = ${port}`,
    'auth_type = any',
    'pool_mode = transaction',
    'default_pool_size = 3',
    'unix_socket_dir =',
    `logfile = ${join(folder, 'log')}`,
  ]
  writeFileSync(join(folder, 'pgbouncer.ini'), lines.join('\n'))
  if (process.getuid?.() === 0) execFileSync('chown', ['-R', 'postgres', folder])
  const program = asPostgresUser(findPgbouncer() ?? '', ['-q', join(folder, 'pgbouncer.ini')])
  const child = spawn(...program, { stdio: 'ignore' })
  killOnExit(child)
  await untilConnectable(port, child)
  url.port = String(port)
  return { url: url.href, stop: () => void child.kill('SIGTERM') }
}
