import { Redis, type RedisOptions } from 'ioredis'
import { runScript } from './redis-script'
import type { RedisConnection } from './redis-store'

const options = {
  lazyConnect: true,
  connectTimeout: 2_000,
  // Closes the connection to a server that never answers; otherwise every probe would leave a command waiting.
  socketTimeout: 2_000,
  // The database counts while Redis is unavailable, so a queued or repeated command would count an attempt twice.
  enableOfflineQueue: false,
  autoResendUnfulfilledCommands: false,
  maxRetriesPerRequest: 0,
  retryStrategy: (times) => Math.min(50 * 2 ** Math.min(times, 6), 2_000) * (0.75 + Math.random() / 4),
  // After a failover the address may lead to a read-only replica.
  reconnectOnError: ({ message }) => message.startsWith('READONLY'),
} satisfies RedisOptions

/** The scripts of `@upstash/ratelimit` begin with a shebang that only Upstash accepts. */
const withoutShebang = (script: string) => script.replace(/^#!lua [^\n]*\n/, '')

/** Connects to a Redis or Valkey, and reconnects for as long as the process lives. */
export function connectByTcp(url: string): RedisConnection {
  const redis = new Redis(url, options)
  let reason = 'it was closed'
  // Without a listener an error would end the process. The next command reports it.
  redis.on('error', (error) => {
    reason = error.message
  })
  const opened = redis.connect().catch(() => undefined)
  const ready = async () => {
    if (redis.status !== 'ready') await opened
    if (redis.status !== 'ready') throw new Error(`no connection: ${reason}`)
    return redis
  }
  return {
    async run(script, keys, args) {
      const client = await ready()
      return runScript(withoutShebang(script), {
        bySha: (sha) => client.evalsha(sha, keys.length, ...keys, ...args),
        byText: (text) => client.eval(text, keys.length, ...keys, ...args),
      })
    },
    read: async (keys) => (await ready()).mget(keys),
    remove: async (keys) => (await ready()).del(keys),
    close: () => redis.disconnect(),
  }
}
