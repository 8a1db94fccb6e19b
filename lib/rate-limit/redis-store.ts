import { asyncSingleton, singleton } from '@/lib/process/singleton'
import { type Settings, settings } from '@/lib/settings/settings'
import type { RedisConnection } from './redis-connection'
import { type Bucket, type RateLimit, type RateLimitStore, waitMilliseconds, windowAt } from './store'

/** Decides and counts in one script, so concurrent attempts never exceed the maximum. */
const consumeScript = `local count = tonumber(redis.call('GET', KEYS[1]) or '0')
local previous = tonumber(redis.call('GET', KEYS[2]) or '0')
local max, weight, lifetime = tonumber(ARGV[1]), tonumber(ARGV[2]), ARGV[3]
if count + previous * weight + 1 > max then return 0 end
if redis.call('INCR', KEYS[1]) == 1 then redis.call('PEXPIRE', KEYS[1], lifetime) end
return 1`

/** Counts down, but not below zero: somebody may have reset the bucket meanwhile. The key keeps its time to live. */
const refundScript = `local count = tonumber(redis.call('GET', KEYS[1]) or '0')
if count > 0 then return redis.call('DECR', KEYS[1]) end
return 0`

/** The sliding window of the database's store, with one key per window, which expires by itself. */
export function redisStore(connection: RedisConnection, { name, max, windowMilliseconds }: RateLimit): RateLimitStore {
  const currentTime = () => windowAt(Date.now(), windowMilliseconds)
  /** Braces make a cluster hash this part alone, so that one node has both windows, as a script requires. */
  const keys = (key: string, window: number): [current: string, previous: string] => [
    `latchkey:${name}:{${key}}:${window}`,
    `latchkey:${name}:{${key}}:${window - 1}`,
  ]
  // A window counts until the next one is over; the second is for clocks that differ.
  const lifetime = 2 * windowMilliseconds + 1_000

  async function retryAt(key: string) {
    const { window, weight, now } = currentTime()
    const bucket = parseBucket(await connection.read(keys(key, window)))
    return now + waitMilliseconds(bucket, max - 1, windowMilliseconds, weight)
  }
  return {
    async consume(key) {
      const { window, weight } = currentTime()
      const both = keys(key, window)
      const answer = await connection.run(consumeScript, both, [max, weight, lifetime])
      if (answer !== 0 && answer !== 1) throw new Error('unexpected answer from Redis')
      return {
        success: answer === 1,
        retryAt: () => retryAt(key),
        refund: async () => void (await connection.run(refundScript, [both[0]], [])),
        reset: async () => void (await connection.remove(keys(key, currentTime().window))),
      }
    },
    retryAt,
  }
}

function parseBucket(values: unknown): Bucket {
  const [count, previous] = Array.isArray(values) && values.length === 2 ? values.map(Number) : []
  if (!Number.isInteger(count) || !Number.isInteger(previous)) throw new Error('unexpected answer from Redis')
  return { count: Number(count), previous: Number(previous) }
}

const state = () => singleton('redis', () => ({ connection: null as RedisConnection | null }))

/** Call it before the first request. It does not wait: the database counts attempts until Redis is available. */
export async function connectRedis(): Promise<RedisConnection | null> {
  const configured = settings().redis
  if (configured === null) return null
  return asyncSingleton('redis-connection', async () => {
    state().connection = await connect(configured)
    return state().connection
  })
}

/** Loads only the configured client: each takes megabytes. */
async function connect(configured: NonNullable<Settings['redis']>): Promise<RedisConnection> {
  if (configured.kind === 'tcp') return (await import('./redis-tcp')).connectByTcp(configured.address)
  return (await import('./redis-rest')).connectByRest(configured.url, configured.token)
}

/** At the end of a command, which the connection would keep running. */
export const closeRedis = (): void => state().connection?.close()

/** The connection to Redis; null if none is configured. */
export function redis(): RedisConnection | null {
  const { connection } = state()
  // Fails loudly: otherwise the process would count attempts in the database for as long as it runs.
  if (connection === null && settings().redis !== null) throw new Error('connectRedis() was not called')
  return connection
}
