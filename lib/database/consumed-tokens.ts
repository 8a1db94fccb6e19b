import type { Database } from './client'
import { readRows, writeRows } from './direct-sql'
import { type Fragment, sql, statement } from './fragments'

/** For instances whose clock is behind. */
export const graceMilliseconds = 60_000

/** `exp` in seconds since 1970. */
export interface Consumable {
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

/** Whether no token with this id, a column or a value, was consumed. */
export const notConsumed = (id: Fragment | string): Fragment => sql`
  NOT EXISTS (SELECT 1 FROM "SpentToken" t WHERE t."id" = ${id})`

/** Only a hint: to consume a token, insert and catch. */
export async function isConsumed(jti: string): Promise<boolean> {
  return (await readRows`SELECT 1 AS "found" FROM "SpentToken" s WHERE s."id" = ${jti}`).length > 0
}

/** Fails its transaction if the token was consumed before. */
export const soleConsumption = (db: Database, { jti, exp }: Consumable) =>
  db.consumedToken.create({ data: { id: jti, expiresAt: BigInt(exp * 1000 + graceMilliseconds) } })

/** For a transaction that goes on if the token was consumed before. */
export const consumption = (db: Database, { jti, exp }: Consumable) => db.$executeRaw`
  INSERT INTO "SpentToken" ("id", "expiresAt") VALUES (${jti}, ${BigInt(exp * 1000 + graceMilliseconds)})
  ON CONFLICT DO NOTHING`

/** @param tokens a SELECT of `id` and `expiresAt`, in milliseconds since 1970 */
export const consumptionOfAll = (db: Database, tokens: Fragment) =>
  statement(
    db,
    sql`
      INSERT INTO "SpentToken" ("id", "expiresAt")
      SELECT n."id", n."expiresAt" + ${BigInt(graceMilliseconds)} FROM (${tokens}) n WHERE TRUE
      ON CONFLICT DO NOTHING`,
  )
