import { inBatches } from '@/lib/database/batches'
import { type Database, database } from '@/lib/database/client'

/** Writes in batches: to the accounts whose ids are greater than `after` and at most `last`. */
export async function forAllAccounts(write: (db: Database, after: string, last: string) => Promise<void>) {
  const db = await database()
  let after = ''
  await inBatches(async (take) => {
    const users = await db.user.findMany({
      where: { id: { gt: after } },
      orderBy: { id: 'asc' },
      take,
      select: { id: true },
    })
    const last = users.at(-1)?.id
    if (last === undefined) return { isLast: true }
    await write(db, after, last)
    after = last
    return { isLast: false }
  })
}
