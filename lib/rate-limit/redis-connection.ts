import { singleton } from '@/lib/process/singleton'
import { settings } from '@/lib/settings/settings'
import { connectByRest } from './redis-rest'
import type { RedisConnection } from './redis-store'
import { connectByTcp } from './redis-tcp'

/** The one connection to Redis of this process, opened on first use; null where no Redis is configured. */
export function redis(): RedisConnection | null {
  const where = settings().redis
  if (where === null) return null
  return singleton('redis', () =>
    where.token === null ? connectByTcp(where.url) : connectByRest(where.url, where.token),
  )
}
