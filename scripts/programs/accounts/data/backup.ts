import { existsSync } from 'node:fs'
import type { Command } from 'commander'
import { configuredDialect, database } from '@/lib/database/client'
import { backUp } from '@/lib/database/sqlite/files/backup'
import { databaseFile } from '@/lib/settings/database-url'
import { settings } from '@/lib/settings/settings'
import { CommandError } from '../command/command-error'
import { openDatabase } from '../command/open-database'
import { perform } from '../command/perform'
import { addCommand } from '../command/program'

export function addBackup(program: Command): void {
  addCommand(program, 'backup', 'copies the embedded database to a new file, while the server runs')
    .argument('<file>', 'must not exist')
    .action(
      perform(
        async (_, file: string) => {
          await openEmbedded()
          const count = await backUp(await database(), file)
          return { json: { count }, text: `Accounts in ${file}: ${count}` }
        },
        { opensDatabase: false },
      ),
    )
}

/** Opening a database creates it, and a backup of an empty one would look like a success. */
async function openEmbedded(): Promise<void> {
  const { ownTools } = await configuredDialect()
  if (ownTools) throw new CommandError(ownTools.backup)
  const file = databaseFile(settings().databaseUrl)
  if (!existsSync(file)) throw new CommandError(`There is no database at ${file}. Check DATABASE_URL.`)
  await openDatabase()
}
