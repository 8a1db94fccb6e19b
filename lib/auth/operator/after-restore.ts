import { type Database, freshEpoch } from '../model/accounts'
import { forAllAccounts } from './all-accounts'

/** What a restored database no longer lets in. */
export interface AfterRestore {
  /** Accounts whose sessions have all ended. */
  accounts: number
  /** Recovery codes that were removed. */
  recoveryCodes: number
  /** Rows of the owners' lists of sessions that were removed. */
  sessions: number
}

/**
 * Ends every session and removes the recovery codes after a backup was restored: sessions that were signed out and codes
 * that were used since the backup would otherwise be good again. Run it before the server starts; beside a running one
 * it ends the sessions opened meanwhile, too. It can be run again after it was interrupted.
 *
 * What it cannot undo: passwords, passkeys, bans, deletions and invitations are as they were in the backup.
 *
 * @param keepCodes keeps the recovery codes, also those that were used since the backup
 */
export async function endSessionsAfterRestore({ keepCodes = false } = {}): Promise<AfterRestore> {
  const done = { accounts: 0, recoveryCodes: 0, sessions: 0 }
  await forAllAccounts(async (db, after, last) => {
    const counts = await endSessions(db, after, last, keepCodes)
    done.accounts += counts.accounts
    done.recoveryCodes += counts.recoveryCodes
    done.sessions += counts.sessions
  })
  return done
}

/** The same in one transaction, for a database that nobody else uses: in batches it takes five times as long. */
export const endSessionsOffline = (db: Database, { keepCodes = false } = {}): Promise<AfterRestore> =>
  endSessions(db, beforeAllIds, afterAllIds, keepCodes)

const beforeAllIds = ''
const afterAllIds = '\u{10ffff}'

/** All that concerns an account goes in one batch, so that an interruption leaves no account half done. */
async function endSessions(db: Database, after: string, last: string, keepCodes: boolean): Promise<AfterRestore> {
  const userId = { gt: after, lte: last }
  const fresh = freshEpoch()
  const [accounts, sessions, codes] = await db.$transaction([
    db.$executeRaw`
      UPDATE "User" SET "sessionEpoch" = CASE WHEN "sessionEpoch" < ${fresh} THEN ${fresh} ELSE "sessionEpoch" + 1 END
      WHERE "id" > ${after} AND "id" <= ${last}`,
    db.session.deleteMany({ where: { userId } }),
    ...(keepCodes ? [] : [db.recoveryCode.deleteMany({ where: { userId } })]),
  ])
  return { accounts, sessions: sessions.count, recoveryCodes: codes?.count ?? 0 }
}
