import type { Database } from '@/lib/database/client'
import { sql } from '@/lib/database/fragments'
import { transaction } from '@/lib/database/transaction'
import { freshEpoch } from '../model/accounts'
import { logoutsOf } from '../sessions/logouts'
import { forAllAccounts } from './for-all-accounts'

export interface AfterRestore {
  accounts: number
  recoveryCodes: number
  sessions: number
}

/**
 * Sessions revoked and recovery codes used since the backup would be valid again. Run it before the server starts; on a
 * running one it also ends newer sessions. Can be repeated after an interruption. All else stays as in the backup.
 */
export async function endSessionsAfterRestore({ keepCodes = false } = {}): Promise<AfterRestore> {
  const done = { accounts: 0, recoveryCodes: 0, sessions: 0 }
  await forAllAccounts(async (db, after, last) => {
    const counts = await endSessionsBetween(db, { after, last }, keepCodes)
    done.accounts += counts.accounts
    done.recoveryCodes += counts.recoveryCodes
    done.sessions += counts.sessions
  })
  return done
}

/** One transaction, for a database that nobody else uses: batches take five times as long. */
export const endSessionsOffline = (db: Database, { keepCodes = false } = {}): Promise<AfterRestore> =>
  endSessionsBetween(db, { after: '', last: '\u{10ffff}' }, keepCodes)

/** One transaction for all rows of an account, so that an interruption leaves no account half done. */
async function endSessionsBetween(
  db: Database,
  { after, last }: { after: string; last: string },
  keepCodes: boolean,
): Promise<AfterRestore> {
  const userId = { gt: after, lte: last }
  const fresh = freshEpoch()
  const { accounts, sessions, codes } = await transaction(db, {
    accounts: db.$executeRaw`
      UPDATE "User" SET "sessionEpoch" = CASE WHEN "sessionEpoch" < ${fresh} THEN ${fresh} ELSE "sessionEpoch" + 1 END,
        "recoveryCodesMadeAt" = CASE WHEN ${keepCodes ? 1 : 0} = 1 THEN "recoveryCodesMadeAt" END
      WHERE "id" > ${after} AND "id" <= ${last}`,
    sessions: db.session.deleteMany({ where: { userId } }),
    ...logoutsOf(db, sql`r."userId" > ${after} AND r."userId" <= ${last}`),
    codes: keepCodes ? undefined : db.recoveryCode.deleteMany({ where: { userId } }),
  })
  return { accounts, sessions: sessions.count, recoveryCodes: codes?.count ?? 0 }
}
