import type { Method } from '@/lib/api/schemas'
import { database } from '@/lib/database/client'
import { replacement } from '@/lib/database/consumed-tokens'
import { isGone } from '@/lib/database/errors'
import { settings } from '@/lib/settings/settings'
import { type Database, lockUser, type UserWithEpoch } from './accounts'
import { browserName } from './browser-name'
import type { RequestContext } from './request-context'
import { type Claims, newTokenId, nowInSeconds } from './tokens'

/** A row of the owner's list of sessions. Times in milliseconds since 1970. */
export interface SessionRecord {
  id: string
  userId: string
  epoch: number
  method: Method
  passkeyId: string | null
  browser: string | null
  openedAt: bigint
  expiresAt: bigint
}

export function newSessionRecord(
  user: UserWithEpoch,
  method: Method,
  passkeyId: string | null,
  context: RequestContext,
): SessionRecord {
  const now = nowInSeconds()
  return {
    id: newTokenId(),
    userId: user.id,
    epoch: user.sessionEpoch,
    method,
    passkeyId,
    browser: browserName(context.userAgent),
    openedAt: BigInt(now * 1000),
    expiresAt: BigInt((now + settings().sessionSeconds) * 1000),
  }
}

/** The record of a session given in place of another, which is no older than the credential that opened that one. */
export const renewedRecord = (
  { sub, epoch, amr: [method = 'pwd'], auth_time, iat, exp, pk }: Claims<'session'>,
  context: RequestContext,
): SessionRecord => ({
  id: newTokenId(),
  userId: sub,
  epoch,
  method,
  passkeyId: pk ?? null,
  browser: browserName(context.userAgent),
  openedAt: BigInt((auth_time ?? iat) * 1000),
  expiresAt: BigInt(exp * 1000),
})

/** What must still hold when the record is written: the password's hash, or a recovery code's, which is then consumed. */
export interface Condition {
  passwordHash?: string
  codeHash?: string
}

/**
 * Writes the record of a new session, and revokes the session that it replaces only if it does.
 *
 * @returns whether the record was written, and whether this revoked `replaced`
 */
export async function insertSessionRecord(
  record: SessionRecord,
  replaced: Claims<'session'> | null,
  { passwordHash, codeHash }: Condition = {},
): Promise<{ inserted: boolean; revoked: boolean }> {
  const db = await database()
  const { id, userId } = record
  // Behind the lock, a password or code that is taken away meanwhile cannot open a session that outlives it.
  const locks = passwordHash === undefined && codeHash === undefined ? [] : [lockUser(db, userId)]
  const results = await db
    .$transaction([
      ...locks,
      insertion(db, record, passwordHash ?? null, codeHash ?? null),
      ...(replaced ? [replacement(db, replaced, id)] : []),
      ...(codeHash === undefined ? [] : [consumptionOfCode(db, record, codeHash)]),
    ])
    .catch((error: unknown) => {
      // On PostgreSQL the account may go after the statement has read it and before the foreign key is checked.
      if (isGone(error)) return []
      throw error
    })
  const [inserted, revoked] = results.slice(locks.length)
  return { inserted: inserted === 1, revoked: revoked === 1 }
}

/** A code is used up only by a session: without this epoch, or while the account is disabled, there is none. */
const consumptionOfCode = (db: Database, { userId, epoch }: SessionRecord, hash: string) =>
  db.recoveryCode.deleteMany({ where: { hash, userId, user: { sessionEpoch: epoch, disabled: false } } })

const insertion = (
  db: Database,
  record: SessionRecord,
  passwordHash: string | null,
  codeHash: string | null,
) => db.$executeRaw`
  INSERT INTO "Session" ("id", "userId", "epoch", "method", "passkeyId", "browser", "openedAt", "expiresAt")
  SELECT ${record.id}, u."id", u."sessionEpoch", ${record.method}, ${record.passkeyId}, ${record.browser},
    ${record.openedAt}, ${record.expiresAt}
  FROM "User" u
  WHERE u."id" = ${record.userId} AND u."sessionEpoch" = ${record.epoch} AND NOT u."disabled"
    AND (CAST(${passwordHash} AS TEXT) IS NULL OR u."passwordHash" = ${passwordHash})
    AND (CAST(${codeHash} AS TEXT) IS NULL
      OR EXISTS (SELECT 1 FROM "RecoveryCode" c WHERE c."hash" = ${codeHash} AND c."userId" = u."id"))`

/** An owner's list, newest first: the sessions that are valid now, by the same rules as findSession. */
export async function liveSessionRecords(
  userId: string,
  epoch: number,
  passkeyIds: string[],
): Promise<SessionRecord[]> {
  const db = await database()
  const rows = await db.$queryRaw<SessionRecord[]>`
    SELECT s."id", s."userId", s."epoch", s."method", s."passkeyId", s."browser", s."openedAt", s."expiresAt"
    FROM "Session" s
    WHERE s."userId" = ${userId} AND s."epoch" = ${epoch} AND s."expiresAt" > ${BigInt(Date.now())}
      AND NOT EXISTS (SELECT 1 FROM "SpentToken" t WHERE t."id" = s."id")
    ORDER BY s."openedAt" DESC, s."id"`
  return rows.filter(({ passkeyId }) => passkeyId === null || passkeyIds.includes(passkeyId))
}
