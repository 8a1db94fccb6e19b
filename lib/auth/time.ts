import type { SqlInteger } from '@/lib/database/sql'

/** A `Date` from Prisma's client, ISO 8601 in UTC from `readRows`. */
export type Time = Date | string

export const minuteMilliseconds = 60_000
export const hourMilliseconds = 3_600_000
export const dayMilliseconds = 86_400_000
export const daySeconds = 86_400

export const nowInSeconds = () => Math.floor(Date.now() / 1000)

/** The start of a day in UTC, in milliseconds since 1970. */
export const startOfDay = (time: number) => time - (time % dayMilliseconds)

export const isoTime = (time: Time) => (typeof time === 'string' ? time : time.toISOString())

export const isoTimeOrNull = (time: Time | null) => time && isoTime(time)

/** @param time since 1970 */
export const isoOfMilliseconds = (time: SqlInteger) => new Date(Number(time)).toISOString()
