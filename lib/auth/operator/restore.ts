import { openSqlite } from '@/lib/database/sqlite/client'
import { discard, putInPlace, stageBackup } from '@/lib/database/sqlite/restore'
import { settings } from '@/lib/settings/settings'
import { logSecurityEvent } from '../audit/security-log'
import { type AfterRestore, endSessionsAfterRestore, endSessionsOffline } from './after-restore'
import { operatorOrigin } from './operator-origin'

interface RestoreOptions {
  /** Keeps the recovery codes, also those that were used since the backup. */
  keepCodes?: boolean
}

/**
 * Replaces the embedded database by a backup. Its sessions end before it takes the place, so that no server ever serves it
 * with those that it would revive.
 *
 * @throws Error with a sentence if the file is no sound backup, if it is newer than this version, or if a server runs
 */
export async function restoreBackup(file: string, { keepCodes = false }: RestoreOptions): Promise<AfterRestore> {
  const { databaseUrl } = settings()
  const copy = await stageBackup(file, databaseUrl)
  try {
    const { client } = await openSqlite(copy)
    const done = await endSessionsOffline(client, { keepCodes }).finally(() => client.$disconnect())
    await putInPlace(copy, databaseUrl)
    return logged(done)
  } finally {
    discard(copy)
  }
}

/** The same for a database that was brought back by other means. */
export const finishRestore = async ({ keepCodes = false }: RestoreOptions): Promise<AfterRestore> =>
  logged(await endSessionsAfterRestore({ keepCodes }))

function logged(done: AfterRestore): AfterRestore {
  logSecurityEvent('backup_restored', operatorOrigin(), { method: 'operator', count: done.accounts })
  return done
}
