import { setTimeout as pause } from 'node:timers/promises'
import { log } from '@/lib/process/log'
import { singleton } from '@/lib/process/singleton'
import { database } from './client'

const everyMilliseconds = 60_000
/** So few rows that the embedded database, which runs in this thread, is held for milliseconds only. */
const batchSize = 500
const pauseMilliseconds = 50

/** Starts removing rows past their expiry every minute, away from any request. Idempotent. */
export function startPurging(): void {
  singleton('purge', () => setInterval(() => void purge().catch(report), everyMilliseconds).unref())
}

/** How long events are told: 90 days, in milliseconds. */
export const eventRetentionMilliseconds = 90 * 86_400_000

/**
 * Removes the expired spent tokens and rate limits and the old events, a bite at a time.
 *
 * @param now milliseconds since 1970
 */
export async function purge(now = Date.now()): Promise<void> {
  const db = await database()
  const time = BigInt(now)
  await whileFull(
    () => db.$executeRaw`
    DELETE FROM "SpentToken" WHERE "id" IN (SELECT "id" FROM "SpentToken" WHERE "expiresAt" < ${time} LIMIT ${batchSize})`,
  )
  await whileFull(
    () => db.$executeRaw`
    DELETE FROM "RateLimit" WHERE "key" IN (SELECT "key" FROM "RateLimit" WHERE "expiresAt" < ${time} LIMIT ${batchSize})`,
  )
  const oldest = BigInt(now - eventRetentionMilliseconds)
  await whileFull(
    () => db.$executeRaw`
    DELETE FROM "Event" WHERE "id" IN (SELECT "id" FROM "Event" WHERE "at" < ${oldest} LIMIT ${batchSize})`,
  )
}

async function whileFull(remove: () => Promise<number>) {
  while ((await remove()) >= batchSize) await pause(pauseMilliseconds, undefined, { ref: false })
}

const report = (err: unknown) => log().warn({ err }, 'expired rows could not be removed')
