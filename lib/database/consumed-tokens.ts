import type { Database } from './client'
import { readRows, writeRows } from './direct-sql'

/** For instances whose clock is behind. */
const graceMilliseconds = 60_000

/** `exp` in seconds since 1970. */
interface Consumable {
  jti: string
  exp: number
}

/**
 * The primary key lets only one of several concurrent calls succeed.
 *
 * @param write `unflushed.changes` if a flushed statement follows before anybody gets a response
 * @returns false if it was consumed before
 */
export async function consumeToken({ jti, exp }: Consumable, write = writeRows): Promise<boolean> {
  const inserted = await write`
    INSERT INTO "SpentToken" ("id", "expiresAt") VALUES (${jti}, ${BigInt(exp * 1000 + graceMilliseconds)})
    ON CONFLICT DO NOTHING`
  return inserted === 1
}

/** Only a hint: to consume a token, insert and catch. */
export async function isConsumed(jti: string): Promise<boolean> {
  return (await readRows`SELECT 1 AS "found" FROM "SpentToken" s WHERE s."id" = ${jti}`).length > 0
}

/** Fails its batch if the token was consumed before. */
export const soleConsumption = (db: Database, { jti, exp }: Consumable) =>
  db.consumedToken.create({ data: { id: jti, expiresAt: BigInt(exp * 1000 + graceMilliseconds) } })

/** For a batch that goes on if the token was consumed before. */
export const consumption = (db: Database, { jti, exp }: Consumable) => db.$executeRaw`
  INSERT INTO "SpentToken" ("id", "expiresAt") VALUES (${jti}, ${BigInt(exp * 1000 + graceMilliseconds)})
  ON CONFLICT DO NOTHING`

/** Consumes a token only if session `sid` has a record, which its batch may not have written. */
export const replacement = (db: Database, { jti, exp }: Consumable, sid: string) => db.$executeRaw`
  INSERT INTO "SpentToken" ("id", "expiresAt")
  SELECT ${jti}, ${BigInt(exp * 1000 + graceMilliseconds)} FROM "Session" s WHERE s."id" = ${sid}
  ON CONFLICT DO NOTHING`

/** Revokes the account's sessions that `method` opened, except `sid`. */
export const revocationOfMethod = (db: Database, userId: string, method: string, sid: string) => db.$executeRaw`
  INSERT INTO "SpentToken" ("id", "expiresAt")
  SELECT s."id", s."expiresAt" + ${BigInt(graceMilliseconds)} FROM "Session" s
  WHERE s."userId" = ${userId} AND s."method" = ${method} AND s."id" <> ${sid}
  ON CONFLICT DO NOTHING`

/** Revokes the sessions that a password opened, except `sid`, unless the account still has a password. */
export const revocationWithPassword = (db: Database, userId: string, sid: string) => db.$executeRaw`
  INSERT INTO "SpentToken" ("id", "expiresAt")
  SELECT s."id", s."expiresAt" + ${BigInt(graceMilliseconds)} FROM "Session" s JOIN "User" u ON u."id" = s."userId"
  WHERE s."userId" = ${userId} AND s."method" = 'pwd' AND s."id" <> ${sid} AND u."passwordHash" IS NULL
  ON CONFLICT DO NOTHING`

/**
 * Revokes a removed passkey's sessions, in the batch that removes it: an authenticator may register the same passkey
 * again, and its old sessions must stay revoked.
 */
export const revocationOfRemovedPasskey = (db: Database, userId: string, passkeyId: string) => db.$executeRaw`
  INSERT INTO "SpentToken" ("id", "expiresAt")
  SELECT s."id", s."expiresAt" + ${BigInt(graceMilliseconds)} FROM "Session" s
  WHERE s."userId" = ${userId} AND s."passkeyId" = ${passkeyId}
    AND NOT EXISTS (SELECT 1 FROM "Passkey" p WHERE p."id" = ${passkeyId})
  ON CONFLICT DO NOTHING`
