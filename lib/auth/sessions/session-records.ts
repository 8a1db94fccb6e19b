import type { Method } from '@/lib/api/schemas'
import { connection, type Database } from '@/lib/database/client'
import { readRows, writeRows } from '@/lib/database/direct-sql'
import { isGone } from '@/lib/database/errors'
import { settings } from '@/lib/settings/settings'
import { browserName } from '../audit/browser-name'
import { lockUser, type UserWithEpoch } from '../model/accounts'
import type { RequestContext } from '../model/request-context'
import type { Claims } from '../tokens/claims'
import { newTokenId, nowInSeconds } from '../tokens/tokens'
import { deliverLogouts, extensionOfReachedApps, logoutsOf, ofAccount } from './reached-apps'
import { replacement } from './revocations'

/** Times in milliseconds since 1970. */
export interface SessionRecord {
  id: string
  userId: string
  epoch: number
  method: Method
  passkeyId: string | null
  browser: string | null
  openedAt: bigint
  expiresAt: bigint
  /** Of the first of the sessions that this one is given in place of; null: it is the first. */
  rootId: string | null
}

/** `userVerified` is in the token only. */
export interface NewSessionRecord extends SessionRecord {
  userVerified: boolean
}

interface Shown {
  method: Method
  passkeyId: string | null
  userVerified: boolean
  rootId: string | null
}

export function newSessionRecord(
  user: UserWithEpoch,
  { method, passkeyId, userVerified, rootId }: Shown,
  context: RequestContext,
): NewSessionRecord {
  const now = nowInSeconds()
  return {
    id: newTokenId(),
    userId: user.id,
    epoch: user.sessionEpoch,
    method,
    passkeyId,
    userVerified,
    browser: browserName(context.userAgent),
    openedAt: BigInt(now * 1000),
    expiresAt: BigInt((now + settings().sessionSeconds) * 1000),
    rootId,
  }
}

/** `openedAt` stays the time at which a credential was shown. */
export const renewedRecord = (
  { jti, sub, epoch, amr: [method = 'pwd'], auth_time, iat, exp, pk, uv, root = jti }: Claims<'session'>,
  context: RequestContext,
): NewSessionRecord => ({
  id: newTokenId(),
  userId: sub,
  epoch,
  method,
  passkeyId: pk ?? null,
  userVerified: uv === true,
  browser: browserName(context.userAgent),
  openedAt: BigInt((auth_time ?? iat) * 1000),
  expiresAt: BigInt(exp * 1000),
  rootId: root,
})

/** What must still hold when the record is written: the password's hash, or a recovery code's, which is then consumed. */
export interface Condition {
  passwordHash?: string
  codeHash?: string
}

/** Revokes `replaced` only if the record is written. */
export async function insertSessionRecord(
  record: SessionRecord,
  replaced: Claims<'session'> | null,
  condition: Condition = {},
): Promise<{ inserted: boolean; revoked: boolean }> {
  // On PostgreSQL the account may be deleted after the statement reads it and before its foreign key is checked.
  return insert(record, replaced, condition).catch((error: unknown) => {
    if (isGone(error)) return { inserted: false, revoked: false }
    throw error
  })
}

async function insert(record: SessionRecord, replaced: Claims<'session'> | null, condition: Condition) {
  const { passwordHash, codeHash } = condition
  const { client: db, dialect } = await connection()
  const needsLock = codeHash !== undefined || ((passwordHash !== undefined || replaced !== null) && dialect.needsLock)
  // One statement is a transaction of its own.
  if (!needsLock && !replaced)
    return { inserted: (await insertion(writeRows, record, condition)) === 1, revoked: false }
  const execute = (sql: TemplateStringsArray, ...values: unknown[]) => db.$executeRaw(sql, ...values)
  // Behind the lock, a password or code that is removed meanwhile cannot open a session that outlives it, and a removed
  // passkey cannot replace the session that removes it.
  const locks = needsLock ? [lockUser(db, record.userId)] : []
  const results = await db.$transaction([
    ...locks,
    insertion(execute, record, condition),
    ...(replaced ? [replacement(db, replaced, record.id)] : []),
    ...(codeHash === undefined ? [] : [consumptionOfCode(db, record, codeHash)]),
    ...(record.rootId === null ? [] : [extensionOfReachedApps(db, record.rootId, record.expiresAt)]),
    ...(replaced ? logoutsOf(db, ofAccount(replaced.sub)) : []),
  ])
  const [inserted, revoked] = results.slice(locks.length)
  if (replaced) deliverLogouts(Number(results.at(-2)))
  return { inserted: inserted === 1, revoked: revoked === 1 }
}

/** Only a session uses a code up: there is none with another epoch or a disabled account. */
const consumptionOfCode = (db: Database, { userId, epoch }: SessionRecord, hash: string) =>
  db.recoveryCode.deleteMany({ where: { hash, userId, user: { sessionEpoch: epoch, disabled: false } } })

const insertion = <R>(
  execute: (sql: TemplateStringsArray, ...values: unknown[]) => R,
  record: SessionRecord,
  { passwordHash = null, codeHash = null }: { [K in keyof Condition]: Condition[K] | null },
) => execute`
  INSERT INTO "Session" ("id", "userId", "epoch", "method", "passkeyId", "browser", "openedAt", "expiresAt", "rootId")
  SELECT ${record.id}, u."id", u."sessionEpoch", ${record.method}, ${record.passkeyId}, ${record.browser},
    ${record.openedAt}, ${record.expiresAt}, ${record.rootId}
  FROM "User" u
  WHERE u."id" = ${record.userId} AND u."sessionEpoch" = ${record.epoch} AND NOT u."disabled"
    AND (CAST(${passwordHash} AS TEXT) IS NULL OR u."passwordHash" = ${passwordHash})
    AND (CAST(${record.passkeyId} AS TEXT) IS NULL
      OR EXISTS (SELECT 1 FROM "Passkey" p WHERE p."id" = ${record.passkeyId} AND p."userId" = u."id"))
    AND (CAST(${codeHash} AS TEXT) IS NULL
      OR EXISTS (SELECT 1 FROM "RecoveryCode" c WHERE c."hash" = ${codeHash} AND c."userId" = u."id"))`

type SessionRow = Omit<SessionRecord, 'openedAt' | 'expiresAt'> & Record<'openedAt' | 'expiresAt', number | string>

/** Newest first. The rules of validity are those of findSession. */
export async function liveSessionRecords(
  userId: string,
  epoch: number,
  passkeyIds: string[],
): Promise<SessionRecord[]> {
  const rows = await readRows<SessionRow>`
    SELECT s."id", s."userId", s."epoch", s."method", s."passkeyId", s."browser", s."openedAt", s."expiresAt", s."rootId"
    FROM "Session" s
    WHERE s."userId" = ${userId} AND s."epoch" = ${epoch} AND s."expiresAt" > ${BigInt(Date.now())}
      AND NOT EXISTS (SELECT 1 FROM "SpentToken" t WHERE t."id" = s."id")
    ORDER BY s."openedAt" DESC, s."id"`
  return rows
    .filter(({ passkeyId }) => passkeyId === null || passkeyIds.includes(passkeyId))
    .map((row) => ({ ...row, openedAt: BigInt(row.openedAt), expiresAt: BigInt(row.expiresAt) }))
}
