import type { RedisAddress } from '@/lib/settings/redis'
import { createRedisClient, type RedisConnection, runScript, withoutShebang } from './redis-connection'

/** Connects to Redis or Valkey, a cluster or the primary of Sentinels, and keeps reconnecting. */
export function connectByTcp(address: RedisAddress): RedisConnection {
  const { client: redis, name } = createRedisClient(address)
  let reason = 'it was closed'
  let advice: string | null = null
  // Without this listener, an error would end the process. The next command reports it.
  redis.on('error', (error) => {
    reason = error.message
  })
  // Watches events too, because `connect()` never settles for a cluster that is down or Sentinels out of reach.
  const failed = new Promise<void>((done) => {
    for (const event of ['error', 'close'] as const) redis.once(event, () => done())
  })
  const opened = Promise.race([redis.connect(), failed]).catch(() => undefined)

  /** Fails at once while there is no connection. */
  async function ready() {
    if (redis.status !== 'ready') await opened
    if (advice !== null) throw new Error(advice)
    if (redis.status !== 'ready') throw new Error(`no connection: ${reason}`)
    return redis
  }
  function explained(error: unknown): unknown {
    const found = redis.isCluster ? null : adviceFor(String(error))
    if (found === null) return error
    // Disconnects: otherwise the node would count its own keys, and the database the others.
    if (advice === null) redis.disconnect()
    advice = found
    return new Error(found)
  }
  async function withClient(command: (client: typeof redis) => Promise<unknown>): Promise<unknown> {
    const client = await ready()
    return command(client).catch((error: unknown) => {
      throw explained(error)
    })
  }
  return {
    name,
    run: (script, keys, args) =>
      withClient((client) =>
        runScript(withoutShebang(script), {
          bySha: (sha) => client.evalsha(sha, keys.length, ...keys, ...args),
          byText: (text) => client.eval(text, keys.length, ...keys, ...args),
        }),
      ),
    read: (keys) => withClient((client) => client.mget(keys)),
    remove: (keys) => withClient((client) => client.del(keys)),
    close: () => redis.disconnect(),
  }
}

/** Advises an operator whose REDIS_URL names one node of a cluster, or a Sentinel, as if it were a server of its own. */
function adviceFor(error: string): string | null {
  if (/\bMOVED \d/.test(error))
    return 'REDIS_URL names one node of a Redis Cluster; write several, separated by commas, or its only address twice'
  if (/unknown command/i.test(error))
    return 'REDIS_URL names a Sentinel, or a server without scripts; write redis+sentinel://HOST:26379/NAME for Sentinels'
  return null
}
