import { execFileSync } from 'node:child_process'
import { copyFileSync, rmSync } from 'node:fs'
import type { Server } from '../server/server'
import { dumpPostgres, postgresProgram, withoutSchema } from './postgres-programs'

/** A backup of what a server has stored; calling it puts it back while the server is stopped. */
export async function takeBackup(server: Server): Promise<() => void> {
  const { database, databaseUrl } = server
  if (databaseUrl.startsWith('postgresql:')) {
    const dump = dumpPostgres(databaseUrl, '--clean', '--if-exists')
    const psql = postgresProgram('psql')
    const words = ['-q', '-v', 'ON_ERROR_STOP=1', withoutSchema(databaseUrl)]
    return () => void execFileSync(psql, words, { input: dump })
  }
  // The file of a stopped server is complete without its log.
  await server.kill('SIGTERM')
  copyFileSync(database, `${database}.backup`)
  await server.restart()
  return () => {
    copyFileSync(`${database}.backup`, database)
    for (const suffix of ['-wal', '-shm']) rmSync(database + suffix, { force: true })
  }
}
