import { unflushed } from '@/lib/database/direct-sql'
import { afterResponse } from '@/lib/process/after-response'
import { singleton } from '@/lib/process/singleton'
import { dayMilliseconds } from '../model/time'

/** More sessions than are used in a day; an entry takes about a hundred bytes. */
const maxSessions = 65_536

const usedToday = () => singleton('used-sessions', () => ({ day: 0, ids: new Set<string>() }))

/** In UTC and milliseconds. */
export const startOfDay = (time: number) => time - (time % dayMilliseconds)

/**
 * Every authenticated request runs this; the first of a day in each process writes, after its response.
 *
 * @param recordedAt in seconds since 1970: no later than its row, which has that day
 */
export function recordSessionUse(id: string, recordedAt: number): void {
  const now = Date.now()
  const used = usedToday()
  const day = startOfDay(now)
  if (used.day !== day) {
    used.day = day
    used.ids.clear()
  }
  if (used.ids.has(id)) return
  if (used.ids.size >= maxSessions) used.ids.clear()
  used.ids.add(id)
  if (recordedAt * 1000 >= day) return
  afterResponse(
    () => unflushed.changes`
      UPDATE "Session" SET "lastActiveAt" = ${BigInt(day)}
      WHERE "id" = ${id} AND ("lastActiveAt" IS NULL OR "lastActiveAt" < ${BigInt(day)})`,
  )
}
