import { Redis } from '@upstash/redis'
import { runScript } from './redis-script'
import type { RedisConnection } from './redis-store'

/** By then the database has long been counting. */
const requestMilliseconds = 1_000

/**
 * Reaches a Redis by Upstash's REST protocol: one request per command, no connection of its own.
 *
 * @param url https://...
 * @param token the bearer token that goes with it
 */
export function connectByRest(url: string, token: string): RedisConnection {
  const redis = new Redis({
    url,
    token,
    // None: one that got through without our hearing of it would be counted twice. (`false` would still mean one.)
    retry: { retries: 0 },
    signal: () => AbortSignal.timeout(requestMilliseconds),
    enableTelemetry: false,
  })
  return {
    run: (script, keys, args) =>
      runScript(script, {
        bySha: (sha) => redis.evalsha(sha, keys, args),
        byText: (text) => redis.eval(text, keys, args),
      }),
    read: (keys) => redis.mget(keys),
    remove: (keys) => redis.del(...keys),
    close: () => undefined,
  }
}
