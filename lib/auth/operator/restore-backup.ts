import type { Database } from '@/lib/database/client'
import { sql } from '@/lib/database/fragments'
import { openSqlite } from '@/lib/database/sqlite/client'
import { discard, putInPlace, stageBackup } from '@/lib/database/sqlite/files/restore'
import { transaction } from '@/lib/database/transaction'
import { settings } from '@/lib/settings/settings'
import { freshEpoch } from '../model/accounts'
import { endedOfAccounts, enqueueSessionLogouts } from '../sessions/logouts'
import { forAllAccounts } from './for-all-accounts'
import { logAsOperator } from './operator-context'

/* Sessions revoked and recovery codes used since the backup would be valid again. All else stays as in the backup. */

/** How many of each a restore has ended; of accounts, how many it went through. */
export interface EndedByRestore {
  accounts: number
  recoveryCodes: number
  sessions: number
}

interface RestoreOptions {
  /** Keeps all recovery codes, including those used since the backup. */
  keepCodes?: boolean
}

/**
 * Ends the backup's sessions before it is put in place, so that no server ever accepts them.
 *
 * @throws Error for operators if the file is damaged or newer than this version, or if a server is running
 */
export async function restoreBackup(file: string, { keepCodes = false }: RestoreOptions): Promise<EndedByRestore> {
  const { databaseUrl } = settings()
  const copy = await stageBackup(file, databaseUrl)
  try {
    const { client, close } = await openSqlite(copy)
    // One transaction, for a database that nobody else uses: batches take five times as long.
    const ended = await endSessions(client, { after: '', last: '\u{10ffff}' }, keepCodes).finally(close)
    await putInPlace(copy, databaseUrl)
    logRestore(ended)
    return ended
  } finally {
    discard(copy)
  }
}

/**
 * For a database restored by other means, such as pg_restore. Run it before the server starts; on a running one it also ends
 * newer sessions. Can be repeated after an interruption.
 */
export async function finishRestore({ keepCodes = false }: RestoreOptions): Promise<EndedByRestore> {
  const ended = { accounts: 0, recoveryCodes: 0, sessions: 0 }
  try {
    await forAllAccounts(async (db, after, last) => {
      const counts = await endSessions(db, { after, last }, keepCodes)
      ended.accounts += counts.accounts
      ended.recoveryCodes += counts.recoveryCodes
      ended.sessions += counts.sessions
    })
  } catch (error) {
    if (ended.accounts > 0) logRestore(ended)
    throw error
  }
  logRestore(ended)
  return ended
}

/**
 * Of the accounts whose ids are greater than `after` and at most `last`. One transaction for all rows of an account, so that an
 * interruption leaves no account half done.
 */
async function endSessions(
  db: Database,
  { after, last }: { after: string; last: string },
  keepCodes: boolean,
): Promise<EndedByRestore> {
  const userId = { gt: after, lte: last }
  const fresh = freshEpoch()
  const { accounts, sessions, codes } = await transaction(db, {
    accounts: db.$executeRaw`
      UPDATE "User" SET "sessionEpoch" = CASE WHEN "sessionEpoch" < ${fresh} THEN ${fresh} ELSE "sessionEpoch" + 1 END,
        "recoveryCodesMadeAt" = CASE WHEN ${keepCodes ? 1 : 0} = 1 THEN "recoveryCodesMadeAt" END
      WHERE "id" > ${after} AND "id" <= ${last}`,
    sessions: db.session.deleteMany({ where: { userId } }),
    codes: keepCodes ? undefined : db.recoveryCode.deleteMany({ where: { userId } }),
    ...enqueueSessionLogouts(db, endedOfAccounts(sql`r."userId" > ${after} AND r."userId" <= ${last}`)),
  })
  return { accounts, sessions: sessions.count, recoveryCodes: codes?.count ?? 0 }
}

const logRestore = ({ accounts }: EndedByRestore) => logAsOperator('backup_restored', { count: accounts })
