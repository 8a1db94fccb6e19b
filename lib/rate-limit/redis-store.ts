import { Ratelimit } from '@upstash/ratelimit'
import { type Bucket, type RateLimitStore, waitMilliseconds, windowAt } from './sliding-window'

/** What counting needs of Redis. Nothing that it answers is trusted to have the right shape; everything may fail. */
export interface RedisConnection {
  /** Runs a Lua script. */
  run(script: string, keys: string[], args: (string | number)[]): Promise<unknown>
  /** The values of several keys, null where there is none. */
  read(keys: string[]): Promise<unknown>
  remove(keys: string[]): Promise<unknown>
  close(): void
}

type Scripting = ConstructorParameters<typeof Ratelimit>[0]['redis']

/** Never below zero: a bucket that was cleared meanwhile must not owe attempts. The key keeps its time to live. */
const refundScript = `local count = tonumber(redis.call('GET', KEYS[1]) or '0')
if count > 0 then return redis.call('DECR', KEYS[1]) end
return 0`

/**
 * Counts on Redis by the sliding window of `@upstash/ratelimit`: one key for each window, which Redis forgets by itself.
 *
 * @param name stands before every key, so quotas never share a bucket
 */
export function redisStore(
  connection: RedisConnection,
  name: string,
  max: number,
  windowMilliseconds: number,
): RateLimitStore {
  const prefix = `latchkey:${name}`
  const limiter = new Ratelimit({
    redis: scripting(connection, max),
    limiter: Ratelimit.slidingWindow(max, `${windowMilliseconds} ms`),
    prefix,
    // Its timeout would answer `success: true`, and its cache would outlive a bucket that was cleared.
    timeout: 0,
    ephemeralCache: false,
  })
  const keys = (key: string, window: number) => [`${prefix}:${key}:${window}`, `${prefix}:${key}:${window - 1}`]

  /** Its own `reset` is the window's end, which may be too late while the window before fades, or too early. */
  async function nextAllowed(key: string) {
    const { window, weight, now } = windowAt(Date.now(), windowMilliseconds)
    const bucket = parseBucket(await connection.read(keys(key, window)))
    // It rounds down: one more is allowed as soon as what weighs is below `max`, by however little.
    return now + waitMilliseconds(bucket, max - 1e-6, windowMilliseconds, weight) + 1
  }
  return {
    async consume(key) {
      const { success, reset } = await limiter.limit(key)
      const [counted = ''] = keys(key, Math.round(reset / windowMilliseconds) - 1)
      return {
        success,
        retryAt: success ? reset : await nextAllowed(key),
        refund: async () => void (await connection.run(refundScript, [counted], [])),
        // Not its resetUsedTokens, which searches the whole of Redis.
        reset: async () => void (await connection.remove(keys(key, windowAt(Date.now(), windowMilliseconds).window))),
      }
    },
    async remaining(key) {
      const { remaining, reset } = await limiter.getRemaining(key)
      return { remaining, retryAt: remaining > 0 ? reset : await nextAllowed(key) }
    },
  }
}

/**
 * What `@upstash/ratelimit` calls to run its scripts. It believes any answer (`null` lets everyone in), so the shape is
 * checked here: what is left, and the quota itself.
 */
function scripting(connection: RedisConnection, max: number): Scripting {
  const redis = {
    // It would know its scripts by digests of their text as they are; the connection keeps its own.
    evalsha: async () => Promise.reject(new Error('NOSCRIPT')),
    async eval(script: string, keys: string[], args: (string | number)[]) {
      const answer = await connection.run(script, keys, args)
      const [remaining, limit] = Array.isArray(answer) ? answer : []
      if (!Number.isInteger(remaining) || remaining > max || limit !== max) throw new Error('Redis answers nonsense')
      return answer
    },
  }
  return redis as unknown as Scripting
}

function parseBucket(values: unknown): Bucket {
  const [count, previous] = Array.isArray(values) && values.length === 2 ? values.map(Number) : []
  if (!Number.isInteger(count) || !Number.isInteger(previous)) throw new Error('Redis answers nonsense')
  return { count: Number(count), previous: Number(previous) }
}
