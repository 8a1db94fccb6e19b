import { connection } from './client'
import { requireCurrentSchema } from './migrate'

/**
 * Opens the database for an operator's command, beside a running server or without one. It migrates only if no database
 * stands yet.
 *
 * @throws Error with a sentence if the schema is older or newer than this version of Latchkey
 */
export async function openForCommand(): Promise<void> {
  await requireCurrentSchema()
  const { client, dialect } = await connection()
  await dialect.tune(client)
}
