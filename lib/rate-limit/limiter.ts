import { asyncSingleton, singleton } from '@/lib/process/singleton'
import { type Settings, settings } from '@/lib/settings/settings'
import { circuitBreaker, withCircuitBreaker } from './circuit-breaker'
import { databaseStore } from './database-store'
import { type RedisConnection, redisStore } from './redis-store'
import type { RateLimit, RateLimitStore } from './store'

/** Counts in Redis if it is configured and available, otherwise in the database. */
export function rateLimiter(limit: RateLimit): RateLimitStore {
  return singleton(`limiter/${limit.name}`, () => {
    const onDatabase = databaseStore(limit)
    const connection = redis()
    if (connection === null) return onDatabase
    return withCircuitBreaker(redisStore(connection, limit), onDatabase, breaker())
  })
}

/** All policies share one breaker, as they share the connection. */
const breaker = () => singleton('circuit-breaker', circuitBreaker)

export const circuitBreakerState = () => breaker().state()

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

/**
 * Loads only the configured client: each takes megabytes. Upstash has REST, for platforms that freeze a process between requests,
 * where no connection lasts; a Redis of one's own speaks TCP alone.
 */
async function connect(configured: NonNullable<Settings['redis']>): Promise<RedisConnection> {
  if (configured.kind === 'tcp') return (await import('./redis-tcp')).connectByTcp(configured.address)
  return (await import('./redis-rest')).connectByRest(configured.url, configured.token)
}

/** The connection to Redis; null if none is configured. */
function redis(): RedisConnection | null {
  const { connection } = state()
  // Fails loudly: otherwise the process would count attempts in the database for as long as it runs.
  if (connection === null && settings().redis !== null) throw new Error('connectRedis() was not called')
  return connection
}

/** Lets the process end, which an open connection keeps running. */
export const closeRedis = (): void => state().connection?.close()
