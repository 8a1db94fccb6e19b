import { database } from '@/lib/database/client'
import { explained } from '@/lib/database/errors'
import { migrate } from '@/lib/database/migrate'
import { tryWrite } from '@/lib/database/write-probe'
import { isEmbedded, schemaName } from '@/lib/settings/database-url'
import type { Settings } from '@/lib/settings/schema'
import { counted } from '../../command-line/counted'
import { type Finding, ok, warn } from './finding'

/** Who runs the doctor while nothing works waits for its answer. */
const longestLockMilliseconds = 4_000

/** Without the password that the URL may contain. */
function databaseName(databaseUrl: string): string {
  if (isEmbedded(databaseUrl)) return databaseUrl
  const { host, pathname } = new URL(databaseUrl)
  return `PostgreSQL at ${host}${pathname}, schema ${schemaName(databaseUrl)},`
}

export async function checkDatabase({ databaseUrl }: Settings): Promise<Finding[]> {
  try {
    await migrate(longestLockMilliseconds)
    const db = await database()
    const accounts = await db.user.count()
    await tryWrite()
    const reached = ok(`${databaseName(databaseUrl)} reached and migrated; ${counted(accounts, 'account')}`)
    return (await isBesidePublic(databaseUrl)) ? [reached, besidePublic] : [reached]
  } catch (thrown) {
    const error = explained(thrown)
    throw new Error(`${databaseName(databaseUrl)} cannot be used: ${error instanceof Error ? error.message : error}`)
  }
}

const besidePublic = warn(
  'the schema public has tables of Latchkey too, with accounts of their own; docs/deploy.md has how to move them',
)

/** Whether DATABASE_URL names a schema, and public holds a Latchkey that was perhaps there before. */
async function isBesidePublic(databaseUrl: string): Promise<boolean> {
  if (isEmbedded(databaseUrl) || schemaName(databaseUrl) === 'public') return false
  const db = await database()
  const found = await db.$queryRaw<unknown[]>`
    SELECT 1 FROM pg_tables WHERE "schemaname" = 'public' AND "tablename" = 'ConsumedToken'`
  return found.length > 0
}
