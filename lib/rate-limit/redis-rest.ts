import { Redis } from '@upstash/redis'
import { type RedisConnection, runScript } from './redis-store'

/** Frees the socket of a request whose answer nobody awaits any more: the circuit breaker's deadline is earlier. */
const requestMilliseconds = 1_000

/** Connects by Upstash's REST protocol. Its client sends the commands of one turn of the event loop in one request. */
export function connectByRest(url: string, token: string): RedisConnection {
  const redis = new Redis({
    url,
    token,
    // Never retries, because that could count an attempt twice. `false` would still mean one retry.
    retry: { retries: 0 },
    signal: () => AbortSignal.timeout(requestMilliseconds),
    enableTelemetry: false,
  })
  return {
    name: 'Upstash',
    run: (script, keys, args) =>
      runScript(script, {
        evalSha: (sha) => redis.evalsha(sha, keys, args),
        evalText: (text) => redis.eval(text, keys, args),
      }),
    read: (keys) => redis.mget(keys),
    remove: (keys) => redis.del(...keys),
    close: () => undefined,
  }
}
