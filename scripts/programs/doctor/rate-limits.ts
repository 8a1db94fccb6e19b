import { setTimeout as pause } from 'node:timers/promises'
import { connectRedis } from '@/lib/rate-limit/redis/connect'
import type { Settings } from '@/lib/settings/schema'
import { durationText } from './duration-text'
import { type Finding, fail, ok } from './finding'

/** An unavailable Redis fails this check although Latchkey starts without it: the database then counts. */
export async function checkRateLimits({ rateLimit }: Settings): Promise<Finding[]> {
  const { passwordMax, addressMax, windowMilliseconds } = rateLimit
  const window = durationText(windowMilliseconds / 1000)
  const limits = `${passwordMax} per account and ${addressMax} failures per address in ${window}`
  const connection = await connectRedis()
  if (!connection) return [ok(`${limits}, counted in the database`)]
  // So many keys that each node of a cluster has some.
  const keys = Array.from({ length: 30 }, (_, n) => `latchkey-doctor-${n}`)
  const failure = await failureOf(() => Promise.all(keys.map((key) => connection.read([key]))))
  connection.close()
  if (failure === null) return [ok(`${limits}, counted in ${connection.name}, which answers`)]
  return [
    fail(
      `${connection.name} does not answer (${failure}); check REDIS_URL, or UPSTASH_REDIS_REST_URL and _TOKEN (on Vercel also KV_REST_API_URL and _TOKEN)`,
    ),
  ]
}

/** Retries while the connection opens, because commands are not queued. Messages of the Redis client have no password. */
async function failureOf(command: () => Promise<unknown>): Promise<string | null> {
  let failure: string | null = null
  for (let attempt = 0; attempt < 20; attempt++) {
    failure = await command().then(
      () => null,
      (error) => (error instanceof Error ? error.message : String(error)),
    )
    if (failure === null) return null
    await pause(100)
  }
  return failure
}
