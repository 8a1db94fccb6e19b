import { administrators } from '@/lib/api/names'
import { type Database, database, transaction } from '@/lib/database/client'
import { sql, statement } from '@/lib/database/sql'
import { discard, putInPlace, stageBackup } from '@/lib/database/sqlite/backup'
import { openSqlite } from '@/lib/database/sqlite/client'
import { settings } from '@/lib/settings/settings'
import { freshEpoch } from '../account'
import { insertEntry, logChange, writeLine } from '../events/operators-log'
import { enqueueSessionLogouts, hasEndedOfAccounts } from '../sessions/reached-apps'
import { forAllAccounts } from './change-account'
import type { Operator } from './operator'

/*
 * Sessions revoked, recoveries stopped, and recovery codes and invitations used since the backup would be valid again. All else
 * stays as in the backup.
 */

/** How many of each a restore has ended; of accounts, how many it went through. */
export interface EndedByRestore {
  accounts: number
  recoveryCodes: number
  sessions: number
  invitations: number
  keys: number
  /** The usernames of those who are administrators again */
  administrators: string[]
}

type EndedOfAccounts = Pick<EndedByRestore, 'accounts' | 'recoveryCodes' | 'sessions'>

interface RestoreOptions {
  /** Keeps all recovery codes, including those used since the backup. */
  keepCodes?: boolean
  /** Keeps the keys of operators and invitations, including those deleted or used since the backup. */
  keepKeys?: boolean
}

/**
 * Ends the backup's sessions before it is put in place, so that no server ever accepts them.
 *
 * @throws Error for operators if the file is damaged or newer than this version, or if a server is running
 */
export async function restoreBackup(
  operator: Operator,
  file: string,
  { keepCodes = false, keepKeys = false }: RestoreOptions,
): Promise<EndedByRestore> {
  const { databaseUrl } = settings()
  const copy = await stageBackup(file, databaseUrl)
  try {
    const { client, close } = await openSqlite(copy)
    // One transaction, for a database that nobody else uses: batches take five times as long.
    const end = async () => {
      const counts = await endSessions(client, { after: '', last: '\u{10ffff}' }, keepCodes)
      const operators = await endKeys(client, keepKeys)
      await insertEntry(client, operator, 'backup_restored', {})
      return { ...counts, ...operators }
    }
    const ended = await end().finally(close)
    await putInPlace(copy, databaseUrl)
    writeLine(operator, 'backup_restored', { count: ended.accounts })
    return ended
  } finally {
    discard(copy)
  }
}

/**
 * For a database restored by other means, such as pg_restore. Run it before the server starts; on a running one it also ends
 * newer sessions. Can be repeated after an interruption.
 */
export async function finishRestore(
  operator: Operator,
  { keepCodes = false, keepKeys = false }: RestoreOptions,
): Promise<EndedByRestore> {
  const ended = { accounts: 0, recoveryCodes: 0, sessions: 0 }
  const operators = await endKeys(await database(), keepKeys)
  try {
    await forAllAccounts(async (db, after, last) => {
      const counts = await endSessions(db, { after, last }, keepCodes)
      ended.accounts += counts.accounts
      ended.recoveryCodes += counts.recoveryCodes
      ended.sessions += counts.sessions
    })
  } catch (error) {
    if (ended.accounts > 0) await logRestore(operator, ended)
    throw error
  }
  await logRestore(operator, ended)
  return { ...ended, ...operators }
}

/**
 * Ends the sessions of accounts with ids above `after`, up to `last`. One transaction for all rows of an account, so that an
 * interruption leaves no account half done.
 */
async function endSessions(
  db: Database,
  { after, last }: { after: string; last: string },
  keepCodes: boolean,
): Promise<EndedOfAccounts> {
  const userId = { gt: after, lte: last }
  const fresh = freshEpoch()
  // Its owner may have left the address since the backup, and has seven days to leave it again.
  const now = BigInt(Date.now())
  const { accounts, sessions, codes } = await transaction(db, {
    accounts: statement(db)`
      UPDATE "User" SET "sessionEpoch" = CASE WHEN "sessionEpoch" < ${fresh} THEN ${fresh} ELSE "sessionEpoch" + 1 END,
        "recoveryCodesMadeAt" = CASE WHEN ${keepCodes ? 1 : 0} = 1 THEN "recoveryCodesMadeAt" END,
        "emailProvedAt" = CASE WHEN "emailProvedAt" IS NOT NULL THEN CAST(${now} AS BIGINT) END
      WHERE "id" > ${after} AND "id" <= ${last}`,
    sessions: db.session.deleteMany({ where: { userId } }),
    recoveries: db.recovery.deleteMany({ where: { userId } }),
    codes: keepCodes ? undefined : db.recoveryCode.deleteMany({ where: { userId } }),
    ...enqueueSessionLogouts(db, hasEndedOfAccounts(sql`r."userId" > ${after} AND r."userId" <= ${last}`)),
  })
  return { accounts, sessions: sessions.count, recoveryCodes: codes?.count ?? 0 }
}

/** Ends keys and invitations: one that was deleted or used since the backup must not be valid again. */
async function endKeys(db: Database, keepKeys: boolean): Promise<Omit<EndedByRestore, keyof EndedOfAccounts>> {
  const members = await db.membership.findMany({
    where: { groupName: administrators },
    select: { user: { select: { username: true } } },
  })
  const ended = keepKeys
    ? undefined
    : await transaction(db, { keys: db.operatorKey.deleteMany(), invitations: db.invitation.deleteMany() })
  const counts = { keys: ended?.keys.count ?? 0, invitations: ended?.invitations.count ?? 0 }
  return { ...counts, administrators: members.map(({ user }) => user.username).sort() }
}

const logRestore = (operator: Operator, { accounts }: EndedOfAccounts) =>
  logChange(operator, 'backup_restored', { count: accounts })
