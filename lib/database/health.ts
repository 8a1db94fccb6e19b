import { setTimeout as pause } from 'node:timers/promises'
import { database } from './client'

/** Whoever asks for health gives up soon: a late yes is a no. */
const deadlineMilliseconds = 2_000

/** Whether the database answers in time: one read of a table, so a database that was never migrated does not count. */
export async function databaseAnswers(): Promise<boolean> {
  const waiting = new AbortController()
  const late = pause(deadlineMilliseconds, false, { signal: waiting.signal, ref: false }).catch(() => false)
  const answered = await Promise.race([read().catch(() => false), late])
  waiting.abort()
  return answered
}

async function read(): Promise<true> {
  const db = await database()
  await db.$queryRaw`SELECT 1 FROM "User" LIMIT 1`
  return true
}
