import { PrismaPg } from '@prisma/adapter-pg'
import { expect } from 'playwright/test'
import { searchPath } from './postgres-programs'

const run = (sql: string) => ({ sql, args: [], argTypes: [] })

type Connection = Awaited<ReturnType<PrismaPg['connect']>>

/** How many statements wait for a lock. */
async function waitingFor(connection: Connection): Promise<number> {
  const { rows } = await connection.queryRaw(
    run(`SELECT count(*)::int FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`),
  )
  return Number(rows[0]?.[0])
}

export const often = { intervals: [10] }

/** Takes a lock on PostgreSQL by `statement`, as another transaction may. */
export async function takeLock(url: string, statement: string) {
  const connection = await new PrismaPg({ connectionString: url, options: searchPath(url) }).connect()
  const lock = await connection.startTransaction()
  await lock.executeRaw(run(statement))
  const waiting = () => waitingFor(connection)
  return {
    waiting,
    /** Asks often: the product gives a statement up that waits for 2.5 seconds. */
    untilWaiting: (statements: number) => expect.poll(waiting, often).toBe(statements),
    async release() {
      await lock.executeRaw(run('COMMIT'))
      await lock.commit()
      await connection.dispose()
    },
  }
}
