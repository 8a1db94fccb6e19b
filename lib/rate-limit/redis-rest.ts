import { Redis } from '@upstash/redis'
import { type RedisConnection, runScript } from './redis-connection'

/** Only frees the socket, so it is longer than the circuit breaker's deadline. */
const requestMilliseconds = 1_000

/** Upstash's REST protocol. The client sends commands of one turn of the event loop in one request. */
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
        bySha: (sha) => redis.evalsha(sha, keys, args),
        byText: (text) => redis.eval(text, keys, args),
      }),
    read: (keys) => redis.mget(keys),
    remove: (keys) => redis.del(...keys),
    close: () => undefined,
  }
}
