import { createHash } from 'node:crypto'
import { Ratelimit } from '@upstash/ratelimit'
import {
  type Bucket,
  type RateLimit,
  type RateLimitStore,
  type WindowPosition,
  waitMilliseconds,
  windowAt,
} from './store'

/** What a store needs of Redis. Results are `unknown`, because a misconfigured server may send anything. */
export interface RedisConnection {
  readonly name: string
  run(script: string, keys: string[], args: (string | number)[]): Promise<unknown>
  /** The values of the keys, null for a missing one */
  read(keys: string[]): Promise<unknown>
  remove(keys: string[]): Promise<unknown>
  close(): void
}

/**
 * Counts in Redis by the sliding window of `@upstash/ratelimit`: one key for each window, which expires by itself.
 *
 * The library decides. What it lacks is added here: it knows neither refunds nor the exact time of the next attempt, rounds down
 * and trusts any answer.
 */
export function redisStore(connection: RedisConnection, { name, max, windowMilliseconds }: RateLimit): RateLimitStore {
  const prefix = `latchkey:${name}`
  const limiter = new Ratelimit({
    redis: redisOfLibrary(connection, max),
    limiter: Ratelimit.slidingWindow(max, `${windowMilliseconds} ms`),
    prefix,
    // Turns off its timeout, which would return `success: true`, and its cache, which would outlive the reset of a bucket.
    timeout: 0,
    ephemeralCache: false,
  })
  /** Braces make a cluster hash this part alone, so that one node has both windows, as a script requires. */
  const tag = (key: string) => `{${key}}`
  const keyOf = (key: string, window: number) => `${prefix}:${tag(key)}:${window}`
  /** The keys of a window and of the one before. */
  const keysOf = (key: string, { window }: WindowPosition) => [keyOf(key, window), keyOf(key, window - 1)]
  const position = () => windowAt(Date.now(), windowMilliseconds)

  /** Computes the exact time; the library's `reset` is only the end of the window. */
  async function retryAt(key: string) {
    const asked = position()
    const bucket = parseBucket(await connection.read(keysOf(key, asked)))
    const wait = waitMilliseconds(bucket, { max, windowMilliseconds }, asked)
    // Adds a millisecond, because the script rounds the time.
    return wait === 0 ? asked.now : asked.now + wait + 1
  }
  return {
    async consume(key) {
      const { success, reset: endOfWindow } = await limiter.limit(tag(key))
      const counted = keyOf(key, Math.round(endOfWindow / windowMilliseconds) - 1)
      return {
        success,
        retryAt: () => retryAt(key),
        refund: async () => void (await connection.run(refundScript, [counted], [])),
        // Not by the library's resetUsedTokens, which would scan all keys of Redis.
        reset: async () => void (await connection.remove(keysOf(key, position()))),
      }
    },
    retryAt,
  }
}

/** Counts down, but not below zero: somebody may have reset the bucket meanwhile. The key keeps its time to live. */
const refundScript = `local count = tonumber(redis.call('GET', KEYS[1]) or '0')
if count > 0 then return redis.call('DECR', KEYS[1]) end
return 0`

function parseBucket(values: unknown): Bucket {
  const [count, previous] = Array.isArray(values) && values.length === 2 ? values.map(Number) : []
  if (!Number.isInteger(count) || !Number.isInteger(previous)) throw new Error('unexpected answer from Redis')
  return { count: Number(count), previous: Number(previous) }
}

type LibrarysRedis = ConstructorParameters<typeof Ratelimit>[0]['redis']

/**
 * What the library sees of Redis: `evalsha` and `eval`, by which it runs its script. Two things differ from Redis itself.
 *
 * The script rounds up: `roundingUp` says why. The library sends the digest of a script first, and its text only if Redis does
 * not know that; told so each time, it always hands over the text, and `runScript` sends the digest of what we run.
 *
 * Each answer is checked: the library trusts any, and `null` would allow every attempt.
 */
function redisOfLibrary(connection: RedisConnection, max: number): LibrarysRedis {
  const redis = {
    evalsha: async () => Promise.reject(new Error('NOSCRIPT')),
    async eval(script: string, keys: string[], args: (string | number)[]) {
      const answer = await connection.run(roundingUp(script), keys, args)
      const [remaining, limit] = Array.isArray(answer) ? answer : []
      if (!Number.isInteger(remaining) || remaining > max || limit !== max)
        throw new Error('unexpected answer from Redis')
      return answer
    },
  }
  return redis as unknown as LibrarysRedis
}

const roundsDown = 'requestsInPreviousWindow = math.floor('

/**
 * Makes the library's script round the weighted count of the previous window up: rounded down, it allows a sixth attempt right
 * after the first five. The library has no option for this but `limiter`, which takes a whole algorithm in place of its own.
 *
 * @throws Error if another release of the library rounds in another way: the database then counts
 */
export function roundingUp(script: string): string {
  const [before, after, ...others] = script.split(roundsDown)
  if (after === undefined || others.length > 0) throw new Error('unexpected script of @upstash/ratelimit')
  return `${before}${roundsDown.replace('floor', 'ceil')}${after}`
}

interface ScriptCommands {
  evalSha(sha: string): Promise<unknown>
  evalText(script: string): Promise<unknown>
}

const shas = new Map<string, string>()

/** Sends a Lua script by its SHA-1 digest, and its text only if Redis does not know it, as after a restart. */
export async function runScript(script: string, commands: ScriptCommands): Promise<unknown> {
  const sha = shas.get(script) ?? createHash('sha1').update(script).digest('hex')
  shas.set(script, sha)
  try {
    return await commands.evalSha(sha)
  } catch (error) {
    if (!String(error).includes('NOSCRIPT')) throw error
    return commands.evalText(script)
  }
}
