import { singleton } from '@/lib/process/singleton'
import { settings } from '@/lib/settings/settings'
import { connectByRest } from './redis-rest'
import type { RedisConnection } from './redis-store'
import { connectByTcp } from './redis-tcp'

/** The connection of this process, opened on first use; null if no Redis is configured. */
export function redis(): RedisConnection | null {
  const { redis } = settings()
  if (redis === null) return null
  return singleton('redis', () =>
    redis.token === null ? connectByTcp(redis.url) : connectByRest(redis.url, redis.token),
  )
}
