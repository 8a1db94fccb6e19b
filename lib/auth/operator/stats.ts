import type * as z from 'zod'
import type { stats } from '@/lib/api/schemas'
import { database } from '@/lib/database/client'
import { readRows, type SqlInteger, type SqlRow } from '@/lib/database/sql'
import { dayMilliseconds } from '../time'

const shownDays = 30

export type Stats = z.infer<typeof stats>

interface DayRow extends SqlRow<'Event', 'type'> {
  day: SqlInteger
  count: SqlInteger
}

export async function readStats(): Promise<Stats> {
  const db = await database()
  const today = Math.floor(Date.now() / dayMilliseconds)
  const first = today - shownDays + 1
  const [accounts, pwd, passkey, recovery] = await Promise.all([
    db.user.count(),
    db.user.count({ where: { passwordHash: { not: null } } }),
    db.user.count({ where: { passkeys: { some: {} } } }),
    db.user.count({ where: { recoveryCodes: { some: {} } } }),
  ])
  const rows = await readRows<DayRow>`
    SELECT "at" / ${BigInt(dayMilliseconds)} AS "day", "type", SUM("count") AS "count" FROM "Event"
    WHERE "at" >= ${BigInt(first * dayMilliseconds)} AND "type" IN ('account_created', 'signed_in')
    GROUP BY 1, 2`
  const countOf = (day: number, type: string) =>
    Number(rows.find((row) => Number(row.day) === day && row.type === type)?.count ?? 0)
  const days = Array.from({ length: shownDays }, (_, index) => {
    const day = first + index
    return {
      day: new Date(day * dayMilliseconds).toISOString().slice(0, 10),
      signUps: countOf(day, 'account_created'),
      signIns: countOf(day, 'signed_in'),
    }
  })
  return { accounts, methods: { pwd, passkey, recovery }, days }
}
