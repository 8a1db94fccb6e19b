import { connection } from '@/lib/database/client'
import { readRows } from '@/lib/database/sql'

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
