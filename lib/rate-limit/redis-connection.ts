import { createHash } from 'node:crypto'
import { unescape as decode } from 'node:querystring'
import { Cluster, Redis, type RedisOptions } from 'ioredis'
import type { RedisAddress } from '@/lib/settings/redis'

/** Results are `unknown`, because a misconfigured server may send anything. */
export interface RedisConnection {
  readonly name: string
  run(script: string, keys: string[], args: (string | number)[]): Promise<unknown>
  /** Null for a missing key. */
  read(keys: string[]): Promise<unknown>
  remove(keys: string[]): Promise<unknown>
  close(): void
}

interface Runner {
  bySha(sha: string): Promise<unknown>
  byText(text: string): Promise<unknown>
}

const shas = new Map<string, string>()

/** Sends the text of a Lua script only if Redis does not know its SHA-1 digest, as after a restart. */
export async function runScript(text: string, { bySha, byText }: Runner): Promise<unknown> {
  const sha = shas.get(text) ?? createHash('sha1').update(text).digest('hex')
  shas.set(text, sha)
  try {
    return await bySha(sha)
  } catch (error) {
    if (!String(error).includes('NOSCRIPT')) throw error
    return byText(text)
  }
}

const roundsDown = 'requestsInPreviousWindow = math.floor('

/**
 * The scripts of `@upstash/ratelimit` round the weighted count of the previous window down, which would allow a sixth attempt
 * right after the first five.
 *
 * @throws Error if another release of it rounds in another way: the database then counts
 */
export function roundingUp(text: string): string {
  const [before, after, ...others] = text.split(roundsDown)
  if (after === undefined || others.length > 0) throw new Error('unexpected script of @upstash/ratelimit')
  return `${before}${roundsDown.replace('floor', 'ceil')}${after}`
}

/** The scripts of `@upstash/ratelimit` begin with a shebang that only Upstash accepts. */
export const withoutShebang = (script: string) => script.replace(/^#!lua [^\n]*\n/, '')

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
