import type { SqlInteger, SqlTime } from '@/lib/database/sql'

export const minuteMilliseconds = 60_000
export const hourMilliseconds = 3_600_000
export const dayMilliseconds = 86_400_000
export const daySeconds = 86_400

export const nowInSeconds = () => Math.floor(Date.now() / 1000)

/** The start of a day in UTC, in milliseconds since 1970. */
export const startOfDay = (time: number) => time - (time % dayMilliseconds)

export const isoTime = (time: SqlTime) => (typeof time === 'string' ? time : time.toISOString())

export const isoTimeOrNull = (time: SqlTime | null) => time && isoTime(time)

/** @param time since 1970 */
export const isoOfMilliseconds = (time: SqlInteger) => new Date(Number(time)).toISOString()
