import { randomBytes } from 'node:crypto'
import { type Database, database, transaction } from '@/lib/database/client'
import { type Fragment, sql, statement } from '@/lib/database/sql'
import { registeredTypes } from './senders'

/** Keeps an undelivered message this long and, since it may hold personal data, not longer, even if an operator retries it. */
const keptMilliseconds = 30 * 86_400_000

/**
 * Builds the statement that puts messages into the outbox, for the transaction that makes them true. Call `deliverSoon()` after
 * the transaction. A receiver that is gone (410) gets none.
 *
 * @param messages a SELECT of text: `key` (letters, digits, `-` and `_`; differs between its rows), `type`, `receiver`,
 *   `account` (or null) and `payload` (JSON)
 */
export function enqueue(db: Database, messages: Fragment) {
  const now = Date.now()
  return statement(db)`
    INSERT INTO "Delivery" ("id", "type", "receiver", "account", "payload", "createdAt", "dueAt", "expiresAt")
    SELECT ${randomBytes(16).toString('hex')} || m."key", m."type", m."receiver", m."account", m."payload",
      ${BigInt(now)}, ${BigInt(now)}, ${BigInt(now + keptMilliseconds)}
    FROM (${messages}) m
    WHERE NOT EXISTS (SELECT 1 FROM "Delivery" g WHERE g."receiver" = m."receiver" AND g."gone")`
}

/*
 * A payload, as SQL that makes JSON text, for which the databases have no function in common. Ids, usernames, e-mail addresses and
 * names of groups have nothing to escape.
 */

/** Escapes a display name, which has no control characters. */
export const jsonEscaped = (text: Fragment): Fragment => sql`
  replace(replace(${text}, '\\', '\\\\'), '"', '\\"')`

export const jsonText = (text: Fragment): Fragment => sql`'"' || ${text} || '"'`

export const jsonTextOrNull = (text: Fragment): Fragment => sql`COALESCE(${jsonText(text)}, 'null')`

/** Escapes a value from outside the database if need be. */
export const jsonOf = (text: string | null): Fragment => sql`CAST(${JSON.stringify(text)} AS TEXT)`

/** @param rows a SELECT of `text` */
export const jsonArray = (rows: Fragment): Fragment => sql`
  '[' || COALESCE((SELECT '"' || string_agg(n."text", '","') || '"' FROM (${rows}) n), '') || ']'`

/** @param members by name, the JSON text of each */
export function jsonObject(members: Record<string, Fragment>): Fragment {
  const [first, ...rest] = Object.entries(members).map(([name, json]) => sql`${JSON.stringify(name)} || ':' || ${json}`)
  return sql`'{' || ${rest.reduce((text, member) => sql`${text} || ',' || ${member}`, first ?? sql`''`)} || '}'`
}

/** A message that waits for its next attempt, or has failed for good. */
export interface UndeliveredMessage {
  id: string
  type: string
  receiver: string
  account: string | null
  attempts: number
  /** In ISO 8601; while an attempt is under way, the time when it counts as lost. Null if there is no next attempt */
  nextAt: string | null
  error: string | null
}

const columns = {
  id: true,
  type: true,
  receiver: true,
  account: true,
  attempts: true,
  dueAt: true,
  error: true,
} as const

type Row = Omit<UndeliveredMessage, 'nextAt'> & { dueAt: bigint | null }

const describe = ({ id, type, receiver, account, attempts, dueAt, error }: Row): UndeliveredMessage => ({
  id,
  type,
  receiver,
  account,
  attempts,
  nextAt: timeOf(dueAt),
  error,
})

const timeOf = (milliseconds: bigint | null) =>
  milliseconds === null ? null : new Date(Number(milliseconds)).toISOString()

/** The place of a message among the others, by age. */
interface Place {
  at: bigint
  id: string
}

/** Lists undelivered messages after `after`, oldest first. @returns also the place of the last one, if there are more */
export async function listDeliveries(after: Place | null = null, limit = 50) {
  const db = await database()
  const where = after && { OR: [{ createdAt: { gt: after.at } }, { createdAt: after.at, id: { gt: after.id } }] }
  const rows = await db.delivery.findMany({
    ...(where && { where }),
    select: { ...columns, createdAt: true },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    take: limit + 1,
  })
  const page = rows.slice(0, limit)
  const last = rows.length > limit ? page.at(-1) : undefined
  return { deliveries: page.map(describe), last: last ? { at: last.createdAt, id: last.id } : null }
}

/** Makes a message due now, with all its attempts, and lets its receiver get messages again. Null if there is none. */
export async function retryDelivery(id: string): Promise<UndeliveredMessage | null> {
  const db = await database()
  const data = { dueAt: BigInt(Date.now()), attempts: 0, error: null }
  const { row } = await transaction(db, {
    row: db.delivery.findUnique({ where: { id }, select: columns }),
    due: db.delivery.updateMany({ where: { id }, data }),
    receiver: statement(db)`
      UPDATE "Delivery" SET "gone" = ${false}
      WHERE "gone" AND "receiver" = (SELECT d."receiver" FROM "Delivery" d WHERE d."id" = ${id})`,
  })
  return row && describe({ ...row, ...data })
}

/** Counts the letters that wait, and those that have failed for good. */
export async function measureLetters(): Promise<{ waiting: number; failed: number }> {
  const db = await database()
  const ofLetters = { type: { startsWith: 'letter.' }, expiresAt: { gt: BigInt(Date.now()) } }
  const [waiting, failed] = await Promise.all([
    db.delivery.count({ where: { ...ofLetters, dueAt: { not: null } } }),
    db.delivery.count({ where: { ...ofLetters, dueAt: null } }),
  ])
  return { waiting, failed }
}

/** Counts the messages that wait for an attempt of this process or another, and the age of the oldest in milliseconds. */
export async function measureWaiting(): Promise<{ count: number; age: number }> {
  const db = await database()
  const { _count, _min } = await db.delivery.aggregate({
    where: { dueAt: { not: null }, expiresAt: { gt: BigInt(Date.now()) }, type: { in: registeredTypes() } },
    _count: true,
    _min: { createdAt: true },
  })
  return { count: _count, age: _min.createdAt === null ? 0 : Date.now() - Number(_min.createdAt) }
}
