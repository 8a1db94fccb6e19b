import { connection } from './client'
import type { Client } from './dialect/dialect'

/** What is wrong with the stored data, a sentence each. It changes nothing, and holds no lock that a server waits for. */
export async function findDamage(): Promise<string[]> {
  const { client, dialect } = await connection()
  return dialect.verify(client, () => unfindableAccounts(client))
}

/** Accounts are found by the username in lower case, which must be that of the username. */
async function unfindableAccounts(db: Client): Promise<string[]> {
  const rows = await db.$queryRaw<{ id: string }[]>`
    SELECT "id" FROM "User" WHERE "usernameKey" <> lower("username") ORDER BY "id" LIMIT 100`
  return rows.map(({ id }) => `The account ${id} is not found by its username.`)
}
