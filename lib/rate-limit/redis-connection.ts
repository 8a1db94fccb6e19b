import { singleton } from '@/lib/process/singleton'
import { settings } from '@/lib/settings/settings'
import { connectByRest } from './redis-rest'
import { connectByTcp } from './redis-tcp'

/** What counting needs of Redis. Nothing that it answers is trusted to have the right shape; everything may fail. */
export interface RedisConnection {
  /** Runs a Lua script. */
  run(script: string, keys: string[], args: (string | number)[]): Promise<unknown>
  /** The values of several keys, null where there is none. */
  read(keys: string[]): Promise<unknown>
  remove(keys: string[]): Promise<unknown>
  close(): void
}

/** The one connection to Redis of this process, opened on first use; null where no Redis is configured. */
export function redis(): RedisConnection | null {
  const where = settings().redis
  if (where === null) return null
  return singleton('redis', () =>
    where.token === null ? connectByTcp(where.url) : connectByRest(where.url, where.token),
  )
}
