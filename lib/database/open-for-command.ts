import { connection } from './client'
import { requireCurrentSchema } from './migrate'

/**
 * Opens the database for an operator's command, with or without a running server. Migrates only an empty one.
 *
 * @throws Error for operators if the schema is older or newer than this version of Latchkey
 */
export async function openForCommand(): Promise<void> {
  await requireCurrentSchema()
  await connection(true)
}
