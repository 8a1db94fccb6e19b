import { unescape as decode } from 'node:querystring'
import { Cluster, Redis, type RedisOptions } from 'ioredis'
import type { RedisAddress } from '@/lib/settings/redis'
import { type RedisConnection, runScript } from './redis-store'

/** Connects to Redis or Valkey, a cluster or the primary of Sentinels, and keeps reconnecting. */
export function connectByTcp(address: RedisAddress): RedisConnection {
  const { client: redis, name } = createRedisClient(address)
  let lastError = 'it was closed'
  /** What the operator must change before this connection can count; null while nothing is wrong. */
  let advice: string | null = null
  // Without this listener, an error would end the process. The next command reports it.
  redis.on('error', (error) => {
    lastError = error.message
  })
  // Watches events too, because `connect()` never settles for a cluster that is down or Sentinels out of reach.
  const failed = new Promise<void>((done) => {
    for (const event of ['error', 'close'] as const) redis.once(event, () => done())
  })
  const firstAttempt = Promise.race([redis.connect(), failed]).catch(() => undefined)

  /** Runs a command once the first attempt to connect has ended; fails at once while there is no connection. */
  async function command(send: (client: typeof redis) => Promise<unknown>): Promise<unknown> {
    if (redis.status !== 'ready') await firstAttempt
    if (advice !== null) throw new Error(advice)
    if (redis.status !== 'ready') throw new Error(`no connection: ${lastError}`)
    try {
      return await send(redis)
    } catch (error) {
      throw explained(error)
    }
  }
  function explained(error: unknown): unknown {
    const found = redis.isCluster ? null : adviceFor(String(error))
    if (found === null) return error
    // Disconnects: otherwise the node would count its own keys, and the database the others.
    if (advice === null) redis.disconnect()
    advice = found
    return new Error(found)
  }
  return {
    name,
    run: (script, keys, args) =>
      command((client) =>
        runScript(withoutShebang(script), {
          evalSha: (sha) => client.evalsha(sha, keys.length, ...keys, ...args),
          evalText: (text) => client.eval(text, keys.length, ...keys, ...args),
        }),
      ),
    read: (keys) => command((client) => client.mget(keys)),
    remove: (keys) => command((client) => client.del(keys)),
    close: () => redis.disconnect(),
  }
}

/** Removes the first line of a script of `@upstash/ratelimit`, a shebang that only Upstash accepts. */
const withoutShebang = (script: string) => script.replace(/^#!lua [^\n]*\n/, '')

/** Advises an operator whose REDIS_URL names one node of a cluster, or a Sentinel, as if it were a server of its own. */
function adviceFor(error: string): string | null {
  if (/\bMOVED \d/.test(error))
    return 'REDIS_URL names one node of a Redis Cluster; write several, separated by commas, or its only address twice'
  if (/unknown command/i.test(error))
    return 'REDIS_URL names a Sentinel, or a server without scripts; write redis+sentinel://HOST:26379/NAME for Sentinels'
  return null
}

/** Waits longer after each failure, by a part at random, so that instances do not all reconnect at once. */
const retryDelay = (times: number) => Math.min(50 * 2 ** Math.min(times, 6), 2_000) * (0.75 + Math.random() / 4)

const common = {
  lazyConnect: true,
  connectTimeout: 2_000,
  // Closes the connection to a server that never answers; otherwise every probe would leave a command waiting.
  socketTimeout: 2_000,
  // The database counts while Redis is unavailable, so a queued or repeated command would count an attempt twice.
  autoResendUnfulfilledCommands: false,
  maxRetriesPerRequest: 0,
  // Reconnects when the address leads to a read-only replica, as after a failover.
  reconnectOnError: ({ message }) => message.startsWith('READONLY'),
} satisfies RedisOptions

const options = { ...common, enableOfflineQueue: false, retryStrategy: retryDelay } satisfies RedisOptions

/** Makes a client that has not connected yet. `name` says in words what it connects to. */
export function createRedisClient({ kind, urls }: RedisAddress): { client: Redis | Cluster; name: string } {
  const [{ href, protocol, username, password, pathname, searchParams }] = urls
  if (kind === 'server') return { client: new Redis(href, options), name: 'Redis' }
  const hosts = urls.map(({ hostname, port }) => ({
    host: hostname.replace(/^\[|\]$/g, ''),
    ...(port !== '' && { port: Number(port) }),
  }))
  const tls = protocol === 'rediss:' ? {} : undefined
  const access = {
    ...(username !== '' && { username: decode(username) }),
    ...(password !== '' && { password: decode(password) }),
    ...(tls && { tls }),
  }
  if (kind === 'cluster') return { client: createCluster(hosts, access), name: 'a Redis Cluster' }
  const [, name = '', db = '0'] = pathname.split('/')
  const client = new Redis({
    ...options,
    ...access,
    sentinels: hosts,
    name: decode(name),
    db: Number(db),
    sentinelCommandTimeout: options.socketTimeout,
    sentinelRetryStrategy: retryDelay,
    ...(tls && { sentinelTLS: tls, enableTLSForSentinelMode: true }),
    sentinelUsername: searchParams.get('sentinel_username') ?? '',
    sentinelPassword: searchParams.get('sentinel_password') ?? '',
  })
  return { client, name: `the Redis that its Sentinels call ${decode(name)}` }
}

function createCluster(
  nodes: { host: string; port?: number }[],
  access: Pick<RedisOptions, 'username' | 'password' | 'tls'>,
) {
  return new Cluster(nodes, {
    lazyConnect: true,
    clusterRetryStrategy: retryDelay,
    // Repeats no command that a node rejected or that was lost: the database has counted the attempt by then.
    retryDelayOnFailover: 0,
    retryDelayOnClusterDown: 0,
    retryDelayOnTryAgain: 0,
    // Keeps the nodes' names, which their certificates name.
    dnsLookup: (address, done) => done(null, address),
    redisOptions: { ...common, ...access },
  })
}
