import { connection } from './client'
import type { Client } from './dialect/dialect'

/** A sentence per fault. Changes nothing, and holds no lock that a server waits for. */
export async function findDamage(): Promise<string[]> {
  const { client, dialect } = await connection()
  return dialect.verify(client, () => unfindableAccounts(client))
}

/** Accounts are looked up by the lower-case username, which must match the username. */
async function unfindableAccounts(db: Client): Promise<string[]> {
  const rows = await db.$queryRaw<{ id: string }[]>`
    SELECT "id" FROM "User" WHERE "usernameKey" <> lower("username") ORDER BY "id" LIMIT 100`
  return rows.map(({ id }) => `The account ${id} is not found by its username.`)
}
