import { connection } from '@/lib/database/client'
import { openForCommand } from '@/lib/database/open-for-command'

let opened = false

/** Opens the database until `closeDatabase()`. @throws Error with a sentence if its schema is of another version */
export async function openDatabase(): Promise<void> {
  opened = true
  await openForCommand()
}

/** The last process that closes SQLite's file checkpoints the write-ahead log into it. */
export async function closeDatabase(): Promise<void> {
  if (!opened) return
  await connection().then(
    ({ close }) => close(),
    () => undefined,
  )
}
