import type { Database } from '@/lib/database/client'
import type { Prisma } from '@/lib/database/generated/sqlite/client'
import { deliverLogouts, logoutsOf, ofAccount } from './logouts'
import type { Results, Writer } from './write-as-session'

interface Ended {
  userId: string
  /** Of the session that is renewed afterwards. */
  keptRoot?: string | undefined
}

/** Runs writes that end sessions of an account. The logouts of apps come last, and are delivered after the commit. */
export async function writeWithLogouts<P extends Prisma.PrismaPromise<unknown>[]>(
  write: Writer,
  { userId, keptRoot }: Ended,
  statements: (db: Database) => [...P],
): Promise<Results<P>> {
  let count = 0
  const results: unknown[] = await write((db) => {
    const own = statements(db)
    count = own.length
    return [...own, ...logoutsOf(db, ofAccount(userId), keptRoot)]
  })
  deliverLogouts(Number(results[count]))
  return results.slice(0, count) as never
}
