import { database } from '@/lib/database/client'
import { isEmbedded } from '@/lib/settings/database-url'
import type { Settings } from '@/lib/settings/schema'
import { type Finding, fail, ok } from './finding'

/** Above this difference instances reject each other's tokens. */
const toleranceMilliseconds = 5_000

/** Tokens and rate limits depend on the clock, and the database's stands in for those of other instances. */
export async function checkClock({ databaseUrl }: Settings): Promise<Finding[]> {
  if (isEmbedded(databaseUrl))
    return [
      ok(`${new Date().toISOString()}; there is no other clock to compare it with, so keep it synchronized by NTP`),
    ]
  const db = await database()
  const sentAt = Date.now()
  // As a number: a timestamp would arrive without the time zone of the database's sessions, hours off where that is not UTC.
  const [row] = await db.$queryRaw<{ now: number }[]>`
    SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000 AS DOUBLE PRECISION) AS "now"`
  const off = Math.round((sentAt + Date.now()) / 2 - Number(row?.now))
  if (Math.abs(off) <= toleranceMilliseconds) return [ok(`within ${Math.abs(off)} ms of the database's`)]
  return [
    fail(
      `${Math.abs(off)} ms ${off > 0 ? 'ahead of' : 'behind'} the database's; synchronize it by NTP, or sessions of one instance fail on another`,
    ),
  ]
}
