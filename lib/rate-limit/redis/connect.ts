import { asyncSingleton, singleton } from '@/lib/process/singleton'
import type { Settings } from '@/lib/settings/schema'
import { settings } from '@/lib/settings/settings'
import type { RedisConnection } from './connection'

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
  if (configured.kind === 'tcp') return (await import('./tcp')).connectByTcp(configured.address)
  return (await import('./rest')).connectByRest(configured.url, configured.token)
}

/** Null if no Redis is configured. */
export function redis(): RedisConnection | null {
  const { connection } = state()
  // Without this, attempts would be counted in the database for as long as the process runs.
  if (connection === null && settings().redis !== null) throw new Error('connectRedis() was not called')
  return connection
}
