import { Redis, type RedisOptions } from 'ioredis'
import { runScript } from './redis-script'
import type { RedisConnection } from './redis-store'

const options = {
  lazyConnect: true,
  connectTimeout: 2_000,
  // A server that takes connections and says nothing: let go of it, or every probe would leave a command waiting.
  socketTimeout: 2_000,
  // The database counts at once while Redis is away; commands kept for later would count attempts twice.
  enableOfflineQueue: false,
  autoResendUnfulfilledCommands: false,
  maxRetriesPerRequest: 0,
  retryStrategy: (times) => Math.min(50 * 2 ** Math.min(times, 6), 2_000) * (0.75 + Math.random() / 4),
  // After a failover the old address may lead to a replica, which counts nothing.
  reconnectOnError: ({ message }) => message.startsWith('READONLY'),
} satisfies RedisOptions

/** Upstash's scripts begin with a line for Upstash alone, which every other Redis refuses. */
const plain = (script: string) => script.replace(/^#!lua [^\n]*\n/, '')

/**
 * Connects to a Redis or Valkey and stays connected: it tries again for as long as the process lives.
 *
 * @param url redis://... or rediss://... (TLS)
 */
export function connectByTcp(url: string): RedisConnection {
  const redis = new Redis(url, options)
  let why = 'it was closed'
  // Unheard, an error would end the process. It is kept for whoever asks next, whose failure is logged.
  redis.on('error', (error) => {
    why = error.message
  })
  const opened = redis.connect().catch(() => undefined)
  const ready = async () => {
    if (redis.status !== 'ready') await opened
    if (redis.status !== 'ready') throw new Error(`no connection: ${why}`)
    return redis
  }
  return {
    async run(script, keys, args) {
      const client = await ready()
      return runScript(plain(script), {
        bySha: (sha) => client.evalsha(sha, keys.length, ...keys, ...args),
        byText: (text) => client.eval(text, keys.length, ...keys, ...args),
      })
    },
    read: async (keys) => (await ready()).mget(keys),
    remove: async (keys) => (await ready()).del(keys),
    close: () => redis.disconnect(),
  }
}
