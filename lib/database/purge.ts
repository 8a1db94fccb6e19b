import { setTimeout as pause } from 'node:timers/promises'
import { log } from '@/lib/process/log'
import { singleton } from '@/lib/process/singleton'
import { database } from './client'
import { unflushed } from './direct-sql'

const everyMilliseconds = 60_000
/** Small enough that a statement on the embedded database, which runs in this thread, takes under 5 ms. */
const batchSize = 100
const pauseMilliseconds = 50

/** Starts removing expired rows every minute, outside requests. Idempotent. */
export function startPurging(): void {
  singleton('purge', () => setInterval(() => void purge().catch(report), everyMilliseconds).unref())
}

export const eventRetentionMilliseconds = 90 * 86_400_000

/** Removes expired tokens, session records, rate limits and streaks of failures, and old events. */
export async function purge(now = Date.now()): Promise<void> {
  const db = await database()
  const time = BigInt(now)
  await inBatches(
    () => db.$executeRaw`
    DELETE FROM "SpentToken" WHERE "id" IN (SELECT "id" FROM "SpentToken" WHERE "expiresAt" < ${time} LIMIT ${batchSize})`,
  )
  await inBatches(
    () => unflushed.changes`
    DELETE FROM "RateLimit" WHERE "key" IN (SELECT "key" FROM "RateLimit" WHERE "expiresAt" < ${time} LIMIT ${batchSize})`,
  )
  await inBatches(
    () => unflushed.changes`
    DELETE FROM "FailureStreak" WHERE "key" IN (SELECT "key" FROM "FailureStreak" WHERE "expiresAt" < ${time} LIMIT ${batchSize})`,
  )
  await inBatches(
    () => db.$executeRaw`
    DELETE FROM "Session" WHERE "id" IN (SELECT "id" FROM "Session" WHERE "expiresAt" < ${time} LIMIT ${batchSize})`,
  )
  const oldest = BigInt(now - eventRetentionMilliseconds)
  await inBatches(
    () => db.$executeRaw`
    DELETE FROM "Event" WHERE "id" IN (SELECT "id" FROM "Event" WHERE "at" < ${oldest} LIMIT ${batchSize})`,
  )
}

async function inBatches(remove: () => Promise<number>) {
  while ((await remove()) >= batchSize) await pause(pauseMilliseconds, undefined, { ref: false })
}

const report = (err: unknown) => log().warn({ err }, 'could not remove expired rows')
