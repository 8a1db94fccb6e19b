import type * as z from 'zod'
import type { stats } from '@/lib/api/schemas'
import { connection, database } from '@/lib/database/client'
import { readRows, type SqlInteger } from '@/lib/database/sql'
import { dayMilliseconds } from '../time'

/** The most faults to report of each kind */
const maxFaults = 100

/** @returns a sentence per fault */
export async function findDamage(): Promise<string[]> {
  const { client, dialect } = await connection()
  return dialect.findDamage(client, async () => [...(await unfindableAccounts()), ...(await unclaimed())])
}

/**
 * Accounts are looked up by the lower-case username, which must match the username. `lower` follows the locale of
 * PostgreSQL's database, and a Turkish one turns I into a dotless i: so `replace` comes first.
 */
async function unfindableAccounts(): Promise<string[]> {
  const rows = await readRows<{ id: string }>`
    SELECT "id" FROM "User" WHERE "usernameKey" <> lower(replace("username", 'I', 'i')) ORDER BY "id" LIMIT ${maxFaults}`
  return rows.map(({ id }) => `The account ${id} is not found by its username.`)
}

/** Usernames and e-mail addresses are unique by the rows of Identifier, which an account inserted by other means lacks. */
async function unclaimed(): Promise<string[]> {
  const rows = await readRows<{ id: string }>`
    SELECT u."id" FROM "User" u
    WHERE NOT EXISTS (SELECT 1 FROM "Identifier" i WHERE i."key" = u."usernameKey" AND i."userId" = u."id" AND i."username")
      OR (u."email" IS NOT NULL AND NOT EXISTS (SELECT 1 FROM "Identifier" i
        WHERE i."key" = lower(replace(u."email", 'I', 'i')) AND i."userId" = u."id" AND i."email"))
    ORDER BY u."id" LIMIT ${maxFaults}`
  return rows.map(
    ({ id }) => `The account ${id} has not claimed its username or e-mail address, so another could have the same.`,
  )
}

const shownDays = 30

export type Stats = z.infer<typeof stats>

interface DayRow {
  day: SqlInteger
  type: string
  count: SqlInteger
}

export async function readStats(): Promise<Stats> {
  const db = await database()
  const today = Math.floor(Date.now() / dayMilliseconds)
  const first = today - shownDays + 1
  const [accounts, pwd, passkey, recovery] = await Promise.all([
    db.user.count(),
    db.user.count({ where: { passwordHash: { not: null } } }),
    db.user.count({ where: { passkeys: { some: {} } } }),
    db.user.count({ where: { recoveryCodes: { some: {} } } }),
  ])
  const rows = await readRows<DayRow>`
    SELECT "at" / ${BigInt(dayMilliseconds)} AS "day", "type", SUM("count") AS "count" FROM "Event"
    WHERE "at" >= ${BigInt(first * dayMilliseconds)} AND "type" IN ('account_created', 'signed_in')
    GROUP BY 1, 2`
  const countOf = (day: number, type: string) =>
    Number(rows.find((row) => Number(row.day) === day && row.type === type)?.count ?? 0)
  const days = Array.from({ length: shownDays }, (_, index) => {
    const day = first + index
    return {
      day: new Date(day * dayMilliseconds).toISOString().slice(0, 10),
      signUps: countOf(day, 'account_created'),
      signIns: countOf(day, 'signed_in'),
    }
  })
  return { accounts, methods: { pwd, passkey, recovery }, days }
}
