import type { database } from './client'
import { readRows, writeRows } from './direct-sql'

/** For instances whose clock is behind. */
const graceMilliseconds = 60_000

type Database = Awaited<ReturnType<typeof database>>

/** A token that can be consumed: its `jti`, and its `exp` in seconds since 1970. */
interface Consumable {
  jti: string
  exp: number
}

/**
 * Consumes a token. The primary key lets only one of several simultaneous calls succeed.
 *
 * @param write `unflushed.changes` where a statement that is flushed follows before anybody hears of success
 * @returns false if it was consumed before
 */
export async function consumeToken({ jti, exp }: Consumable, write = writeRows): Promise<boolean> {
  const inserted = await write`
    INSERT INTO "SpentToken" ("id", "expiresAt") VALUES (${jti}, ${BigInt(exp * 1000 + graceMilliseconds)})
    ON CONFLICT DO NOTHING`
  return inserted === 1
}

/** Whether a token has been consumed; to consume it, insert and catch. */
export async function isConsumed(jti: string): Promise<boolean> {
  return (await readRows`SELECT 1 AS "found" FROM "SpentToken" s WHERE s."id" = ${jti}`).length > 0
}

/** The statement that consumes a token, or fails its batch if it was consumed before. */
export const soleConsumption = (db: Database, { jti, exp }: Consumable) =>
  db.consumedToken.create({ data: { id: jti, expiresAt: BigInt(exp * 1000 + graceMilliseconds) } })

/** The statement that consumes a token only if session `sid` has a record, for a batch that may not have written it. */
export const replacement = (db: Database, { jti, exp }: Consumable, sid: string) => db.$executeRaw`
  INSERT INTO "SpentToken" ("id", "expiresAt")
  SELECT ${jti}, ${BigInt(exp * 1000 + graceMilliseconds)} FROM "Session" s WHERE s."id" = ${sid}
  ON CONFLICT DO NOTHING`

/** The statement that revokes an account's sessions that `method` opened, except `sid`, for a batch. */
export const revocationOfMethod = (db: Database, userId: string, method: string, sid: string) => db.$executeRaw`
  INSERT INTO "SpentToken" ("id", "expiresAt")
  SELECT s."id", s."expiresAt" + ${BigInt(graceMilliseconds)} FROM "Session" s
  WHERE s."userId" = ${userId} AND s."method" = ${method} AND s."id" <> ${sid}
  ON CONFLICT DO NOTHING`

/** The statement that revokes the sessions that a password opened, except `sid`, if the account has no password any more. */
export const revocationWithPassword = (db: Database, userId: string, sid: string) => db.$executeRaw`
  INSERT INTO "SpentToken" ("id", "expiresAt")
  SELECT s."id", s."expiresAt" + ${BigInt(graceMilliseconds)} FROM "Session" s JOIN "User" u ON u."id" = s."userId"
  WHERE s."userId" = ${userId} AND s."method" = 'pwd' AND s."id" <> ${sid} AND u."passwordHash" IS NULL
  ON CONFLICT DO NOTHING`

/**
 * The statement that revokes the sessions that a removed passkey opened, for the batch that removes it: an authenticator may
 * register the same passkey again, and what is over stays over.
 */
export const revocationOfRemovedPasskey = (db: Database, userId: string, passkeyId: string) => db.$executeRaw`
  INSERT INTO "SpentToken" ("id", "expiresAt")
  SELECT s."id", s."expiresAt" + ${BigInt(graceMilliseconds)} FROM "Session" s
  WHERE s."userId" = ${userId} AND s."passkeyId" = ${passkeyId}
    AND NOT EXISTS (SELECT 1 FROM "Passkey" p WHERE p."id" = ${passkeyId})
  ON CONFLICT DO NOTHING`
