import type { Database } from '@/lib/database/client'
import { type Fragment, flushed, readRows, sql, statement } from '@/lib/database/sql'

/** A token that somebody can use once. `exp` is in seconds since 1970. */
export interface Consumable {
  jti: string
  exp: number
}

/**
 * Consumes a token.
 *
 * @param write `unflushed.changes` if a flushed statement follows before anybody gets a response
 * @returns false if somebody consumed it before
 */
export async function consumeToken(token: Consumable, write = flushed.changes): Promise<boolean> {
  return (await write`${insertion(one(token))}`) === 1
}

/**
 * Consumes a token in a transaction, whose rest also runs if somebody consumed the token before.
 *
 * @param condition must hold, too, or nothing is consumed
 */
export const consumption = (db: Database, token: Consumable, condition = sql`TRUE`) =>
  consumptionOfAll(db, sql`${one(token)} WHERE ${condition}`)

/** @param tokens a SELECT of `id` and `expiresAt`, in milliseconds since 1970 */
export const consumptionOfAll = (db: Database, tokens: Fragment) => statement(db)`${insertion(tokens)}`

/** Consumes a token in a transaction, and fails the transaction if somebody consumed it before. */
export const soleConsumption = (db: Database, { jti, exp }: Consumable) =>
  db.consumedToken.create({ data: { id: jti, expiresAt: BigInt(exp * 1000 + graceMilliseconds) } })

/** Fails the transaction if somebody has consumed the token, and makes a concurrent consumption wait for its end. */
export const requireUnconsumed = (db: Database, jti: string) => [
  db.consumedToken.create({ data: { id: jti, expiresAt: 0n } }),
  db.consumedToken.delete({ where: { id: jti } }),
]

/** A condition: nobody has consumed the token with this id, a column or a value. */
export const isUnconsumed = (id: Fragment | string): Fragment => sql`
  NOT EXISTS (SELECT 1 FROM "ConsumedToken" t WHERE t."id" = ${id})`

/** Gives a hint only: to consume a token, insert and catch. */
export async function isConsumed(jti: string): Promise<boolean> {
  return (await readRows`SELECT 1 AS "found" FROM "ConsumedToken" s WHERE s."id" = ${jti}`).length > 0
}

/** The primary key lets only one of several concurrent insertions of a token succeed. @param tokens `id` and `expiresAt` */
const insertion = (tokens: Fragment): Fragment => sql`
  INSERT INTO "ConsumedToken" ("id", "expiresAt")
  SELECT n."id", n."expiresAt" + ${BigInt(graceMilliseconds)} FROM (${tokens}) n WHERE TRUE
  ON CONFLICT DO NOTHING`

const one = ({ jti, exp }: Consumable): Fragment => sql`
  SELECT CAST(${jti} AS TEXT) AS "id", CAST(${BigInt(exp * 1000)} AS BIGINT) AS "expiresAt"`

/** Keeps rows longer for instances whose clock is behind. */
const graceMilliseconds = 60_000
