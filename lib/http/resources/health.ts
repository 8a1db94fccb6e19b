import { setTimeout as pause } from 'node:timers/promises'
import { readRows } from '@/lib/database/direct-sql'

/** Load balancers and orchestrators give up soon after this. */
const deadlineMilliseconds = 2_000

/** Whether this instance can serve: 200 or 503, without details, because anyone may call it. */
export async function health(): Promise<Response> {
  const status = (await databaseAnswers()) ? 200 : 503
  return new Response(null, { status, headers: { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' } })
}

async function databaseAnswers(): Promise<boolean> {
  const waiting = new AbortController()
  const late = pause(deadlineMilliseconds, false, { signal: waiting.signal, ref: false }).catch(() => false)
  const answered = await Promise.race([readTable().catch(() => false), late])
  waiting.abort()
  return answered
}

/** Reads a table, so that a database without migrations counts as unavailable. */
async function readTable(): Promise<true> {
  await readRows`SELECT 1 FROM "User" LIMIT 1`
  return true
}
