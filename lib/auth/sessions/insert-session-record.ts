import { connection, type Database } from '@/lib/database/client'
import { flushed, readRows } from '@/lib/database/direct-sql'
import { isGone } from '@/lib/database/errors'
import { list, sql, statement } from '@/lib/database/fragments'
import { lockUser } from '../model/locks'
import { type Claims, rootOf } from '../tokens/claims'
import { consumption, consumptionOfAll } from '../tokens/consumed-tokens'
import { endedOfRoots } from './logouts'
import { extensionOfReachedApps } from './reached-apps'
import type { SessionRecord } from './session-records'
import { isInserted, stillStands } from './validity'
import { unguarded } from './write-as-session'
import { writeWithLogouts } from './write-with-logouts'

/** Must still hold when the record is written, which consumes the code. */
export interface ExpectedCredential {
  passwordHash?: string
  codeHash?: string
}

/** Revokes `replaced` only if the record is written. */
export async function insertSessionRecord(
  record: SessionRecord,
  replaced: Claims<'session'> | null,
  expected: ExpectedCredential = {},
): Promise<{ inserted: boolean; revoked: boolean }> {
  // On PostgreSQL the account may be deleted after the statement reads it and before its foreign key is checked.
  const result = await insert(record, replaced, expected).catch((error: unknown) => {
    if (isGone(error)) return { inserted: false, revoked: false }
    throw error
  })
  if (result.inserted) await endOldestSessions(record.userId)
  return result
}

/** Per account: many of its requests read all of them. */
const maxSessions = 1_000
/** How many a sign-in ends at most. */
const maxEnded = 20

async function endOldestSessions(userId: string): Promise<void> {
  const oldest = await readRows<{ id: string; rootId: string }>`
    SELECT s."id", COALESCE(s."rootId", s."id") AS "rootId" FROM "Session" s WHERE s."userId" = ${userId}
    ORDER BY s."openedAt" DESC LIMIT ${maxEnded} OFFSET ${maxSessions}`
  if (oldest.length === 0) return
  const ids = list(oldest.map(({ id }) => id))
  await writeWithLogouts(unguarded, endedOfRoots(...oldest.map(({ rootId }) => rootId)), (db) => ({
    ended: consumptionOfAll(db, sql`SELECT s."id", s."expiresAt" FROM "Session" s WHERE s."id" IN (${ids})`),
    removed: statement(db, sql`DELETE FROM "Session" WHERE "id" IN (${ids})`),
  }))
}

async function insert(record: SessionRecord, replaced: Claims<'session'> | null, expected: ExpectedCredential) {
  const { passwordHash, codeHash } = expected
  const { dialect } = await connection()
  const isOfCredential = passwordHash !== undefined || record.passkeyId !== null
  const needsLock = dialect.runsConcurrently && (isOfCredential || codeHash !== undefined || replaced !== null)
  // One statement is a transaction of its own.
  if (!needsLock && codeHash === undefined && !replaced)
    return { inserted: (await flushed.changes`${insertion(record, expected)}`) === 1, revoked: false }
  // Behind the lock, a password, code or passkey that is removed meanwhile opens no session that outlives it.
  const statements = (db: Database) => ({
    lock: needsLock ? lockUser(db, record.userId) : undefined,
    inserted: statement(db, insertion(record, expected)),
    revoked: replaced ? consumption(db, replaced, isInserted(record.id)) : undefined,
    consumedCode: codeHash === undefined ? undefined : consumptionOfCode(db, record, codeHash),
    reachedApps: record.rootId === null ? undefined : extensionOfReachedApps(db, record.rootId, record.id),
  })
  const { inserted, revoked } = await (replaced
    ? writeWithLogouts(unguarded, endedOfRoots(rootOf(replaced)), statements)
    : unguarded(statements))
  return { inserted: inserted === 1, revoked: revoked === 1 }
}

/**
 * For the transaction that ends a session, in whose place it gives this one: whatever ends sessions at the same time would miss
 * a later one.
 */
export const renewal = (db: Database, record: SessionRecord, condition = sql`TRUE`) =>
  statement(db, sql`${insertion(record, {})} AND ${condition}`)

/** Only a session consumes the code that opens it. */
const consumptionOfCode = (db: Database, { id, userId }: SessionRecord, hash: string) =>
  statement(db, sql`DELETE FROM "RecoveryCode" WHERE "hash" = ${hash} AND "userId" = ${userId} AND ${isInserted(id)}`)

const insertion = (record: SessionRecord, { passwordHash, codeHash }: ExpectedCredential) => sql`
  INSERT INTO "Session" ("id", "userId", "epoch", "method", "passkeyId", "browser", "openedAt", "expiresAt", "lastActiveAt", "rootId")
  SELECT ${record.id}, u."id", u."sessionEpoch", ${record.method}, ${record.passkeyId}, ${record.browser},
    ${record.openedAt}, ${record.expiresAt}, ${record.lastActiveAt}, ${record.rootId}
  FROM "User" u
  WHERE u."id" = ${record.userId} AND ${stillStands(record)}
    AND (CAST(${passwordHash ?? null} AS TEXT) IS NULL OR u."passwordHash" = ${passwordHash ?? null})
    AND (CAST(${codeHash ?? null} AS TEXT) IS NULL
      OR EXISTS (SELECT 1 FROM "RecoveryCode" c WHERE c."hash" = ${codeHash ?? null} AND c."userId" = u."id"))`
