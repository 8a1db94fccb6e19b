import { openSqlite } from '@/lib/database/sqlite/client'
import { discard, putInPlace, stageBackup } from '@/lib/database/sqlite/files/restore'
import { settings } from '@/lib/settings/settings'
import { logSecurityEvent } from '../audit/security-log'
import { type AfterRestore, endSessionsAfterRestore, endSessionsOffline } from './after-restore'
import { operatorOrigin } from './operator-origin'

interface RestoreOptions {
  /** Keeps all recovery codes, including those used since the backup. */
  keepCodes?: boolean
}

/**
 * Ends the backup's sessions before it is put in place, so that no server ever accepts them.
 *
 * @throws Error for operators if the file is damaged or newer than this version, or if a server is running
 */
export async function restoreBackup(file: string, { keepCodes = false }: RestoreOptions): Promise<AfterRestore> {
  const { databaseUrl } = settings()
  const copy = await stageBackup(file, databaseUrl)
  try {
    const { client, close } = await openSqlite(copy)
    const done = await endSessionsOffline(client, { keepCodes }).finally(close)
    await putInPlace(copy, databaseUrl)
    return logged(done)
  } finally {
    discard(copy)
  }
}

/** For a database restored by other means, such as pg_restore. */
export const finishRestore = async ({ keepCodes = false }: RestoreOptions): Promise<AfterRestore> =>
  logged(await endSessionsAfterRestore({ keepCodes }))

function logged(done: AfterRestore): AfterRestore {
  logSecurityEvent('backup_restored', operatorOrigin(), { method: 'operator', count: done.accounts })
  return done
}
