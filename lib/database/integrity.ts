import { connection } from './client'
import type { Client } from './dialect/dialect'

/** Faults of one kind that are named. */
const most = 100

/** A sentence per fault. Changes nothing, and holds no lock that a server waits for. */
export async function findDamage(): Promise<string[]> {
  const { client, dialect } = await connection()
  return dialect.verify(client, async () => [...(await unfindableAccounts(client)), ...(await unclaimed(client))])
}

/** Accounts are looked up by the lower-case username, which must match the username. */
async function unfindableAccounts(db: Client): Promise<string[]> {
  const rows = await db.$queryRaw<{ id: string; key: string; username: string }[]>`
    SELECT "id", "usernameKey" AS "key", "username" FROM "User" WHERE "usernameKey" <> lower("username") ORDER BY "id"`
  return mismatched(rows.map(({ id, key, username }) => ({ id, key, text: username }))).map(
    (id) => `The account ${id} is not found by its username.`,
  )
}

/** PostgreSQL's `lower` follows the locale of the database: a Turkish one turns I into a dotless i. Keys are made in JavaScript. */
const mismatched = (rows: { id: string; key: string | null; text: string }[]): string[] =>
  rows.flatMap(({ id, key, text }) => (key === text.toLowerCase() ? [] : [id])).slice(0, most)

/** Usernames and e-mail addresses are unique by the rows of Identifier, which an account inserted by other means lacks. */
async function unclaimed(db: Client): Promise<string[]> {
  const usernames = await db.$queryRaw<{ id: string }[]>`
    SELECT u."id" FROM "User" u
    WHERE NOT EXISTS (SELECT 1 FROM "Identifier" i WHERE i."key" = u."usernameKey" AND i."userId" = u."id" AND i."username")
    ORDER BY u."id" LIMIT ${most}`
  const emails = await db.$queryRaw<{ id: string; key: string | null; text: string }[]>`
    SELECT u."id", i."key", u."email" AS "text" FROM "User" u
    LEFT JOIN "Identifier" i ON i."userId" = u."id" AND i."email"
    WHERE u."email" IS NOT NULL AND (i."key" IS NULL OR i."key" <> lower(u."email")) ORDER BY u."id"`
  const ids = new Set([...usernames.map(({ id }) => id), ...mismatched(emails)])
  return [...ids].map(
    (id) => `The account ${id} has not claimed its username or e-mail address, so another could have the same.`,
  )
}
