import { Ratelimit } from '@upstash/ratelimit'
import { asyncSingleton, singleton } from '@/lib/process/singleton'
import { type Settings, settings } from '@/lib/settings/settings'
import { type RedisConnection, roundingUp } from './redis-connection'
import { type Bucket, type RateLimit, type RateLimitStore, waitMilliseconds, windowAt } from './store'

type Scripting = ConstructorParameters<typeof Ratelimit>[0]['redis']

/** Counts down, but not below zero: somebody may have reset the bucket meanwhile. The key keeps its time to live. */
const refundScript = `local count = tonumber(redis.call('GET', KEYS[1]) or '0')
if count > 0 then return redis.call('DECR', KEYS[1]) end
return 0`

/** The sliding window of `@upstash/ratelimit`: one key per window, which expires by itself. */
export function redisStore(connection: RedisConnection, { name, max, windowMilliseconds }: RateLimit): RateLimitStore {
  const prefix = `latchkey:${name}`
  const limiter = new Ratelimit({
    redis: scripting(connection, max),
    limiter: Ratelimit.slidingWindow(max, `${windowMilliseconds} ms`),
    prefix,
    // Turns off its timeout, which would return `success: true`, and its cache, which would outlive the reset of a bucket.
    timeout: 0,
    ephemeralCache: false,
  })
  /** Braces make a cluster hash this part alone, so that one node has both windows, as a script requires. */
  const tag = (key: string) => `{${key}}`
  const keys = (key: string, window: number) => [
    `${prefix}:${tag(key)}:${window}`,
    `${prefix}:${tag(key)}:${window - 1}`,
  ]

  /** Computes the exact time; the library's `reset` is only the end of the window. */
  async function retryAt(key: string) {
    const { window, weight, now } = windowAt(Date.now(), windowMilliseconds)
    const bucket = parseBucket(await connection.read(keys(key, window)))
    const wait = waitMilliseconds(bucket, max - 1, windowMilliseconds, weight)
    // Adds a millisecond, because the script rounds the time.
    return wait === 0 ? now : now + wait + 1
  }
  return {
    async consume(key) {
      const { success, reset } = await limiter.limit(tag(key))
      const [counted = ''] = keys(key, Math.round(reset / windowMilliseconds) - 1)
      return {
        success,
        retryAt: () => retryAt(key),
        refund: async () => void (await connection.run(refundScript, [counted], [])),
        // Not by the library's resetUsedTokens, which would scan all keys of Redis.
        reset: async () => void (await connection.remove(keys(key, windowAt(Date.now(), windowMilliseconds).window))),
      }
    },
    retryAt,
  }
}

/** Checks each result, because `@upstash/ratelimit` trusts any (`null` would allow every attempt). */
function scripting(connection: RedisConnection, max: number): Scripting {
  const redis = {
    // The connection runs scripts by digests of its own, since it may change their text.
    evalsha: async () => Promise.reject(new Error('NOSCRIPT')),
    async eval(script: string, keys: string[], args: (string | number)[]) {
      const answer = await connection.run(roundingUp(script), keys, args)
      const [remaining, limit] = Array.isArray(answer) ? answer : []
      if (!Number.isInteger(remaining) || remaining > max || limit !== max)
        throw new Error('unexpected answer from Redis')
      return answer
    },
  }
  return redis as unknown as Scripting
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
