import type { SqlInteger } from '@/lib/database/direct-sql'

/** A `Date` from Prisma's client, ISO 8601 in UTC from `readRows`. */
export type Time = Date | string

export const isoTime = (time: Time) => (typeof time === 'string' ? time : time.toISOString())

export const timeOrNull = (time: Time | null) => time && isoTime(time)

/** @param time since 1970 */
export const isoOfMilliseconds = (time: SqlInteger) => new Date(Number(time)).toISOString()
