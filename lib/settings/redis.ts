import * as z from 'zod'
import { deployment } from './deployment'
import { addFault, httpUrl } from './fields'

/** The server or servers that REDIS_URL names. */
export interface RedisAddress {
  kind: 'server' | 'cluster' | 'sentinel'
  /** One for the server, each node or each sentinel; they differ in host and port only */
  urls: [URL, ...URL[]]
}

/**
 * Reads `redis://HOST:PORT`, several of these separated by commas (nodes of a cluster), or
 * `redis+sentinel://HOST:PORT,HOST:PORT/NAME`. With `rediss` in place of `redis`, all of them use TLS.
 *
 * @returns null if it is none of these
 */
export function parseRedisUrl(text: string): RedisAddress | null {
  const [, scheme, user = '', hosts, rest] = /^(rediss?)\+sentinel:\/\/([^/]*@)?([^/@]+)(\/[^/?]+.*)$/.exec(text) ?? []
  const texts = hosts
    ? hosts.split(',').map((host) => `${scheme}://${user}${host}${rest}`)
    : text.split(/,\s*(?=rediss?:)/)
  if (!texts.every((each) => URL.canParse(each))) return null
  const [first, ...others] = texts.map((each) => new URL(each))
  if (first === undefined) return null
  const urls: RedisAddress['urls'] = [first, ...others]
  if (!urls.every((url) => url.hostname !== '' && /^rediss?:$/.test(url.protocol) && isAlike(url, first))) return null
  if (hosts) return { kind: 'sentinel', urls }
  if (others.length === 0) return { kind: 'server', urls }
  // A cluster has a single database.
  return /^\/?0?$/.test(first.pathname) ? { kind: 'cluster', urls } : null
}

/** The client logs in to nodes that it discovers, so it cannot have a user and password for each. */
const isAlike = (a: URL, b: URL) =>
  (['protocol', 'username', 'password', 'pathname', 'search'] as const).every((part) => a[part] === b[part])

// Messages do not repeat a value, because a Redis URL may contain a password.
function redisAddress(text: string, context: z.core.$RefinementCtx): RedisAddress {
  const address = parseRedisUrl(text)
  if (address !== null) return address
  context.addIssue(
    'must be redis://HOST:PORT, or rediss://USER:PASSWORD@HOST:PORT for TLS; for a Redis Cluster, several that differ in HOST and PORT only, separated by commas; for Sentinels, redis+sentinel://HOST:PORT,HOST:PORT/NAME',
  )
  return z.NEVER
}

const restUrl = z
  .string()
  .refine((text) => httpUrl(text) !== null, 'must be a REST URL, such as https://NAME.upstash.io')
  .optional()

/** Upstash's own names, and those that its integration sets on Vercel. */
const pairs = [
  ['UPSTASH_REDIS_REST_URL', 'UPSTASH_REDIS_REST_TOKEN'],
  ['KV_REST_API_URL', 'KV_REST_API_TOKEN'],
] as const

export const redisSchema = z
  .object({
    VERCEL: deployment.VERCEL,
    REDIS_URL: z.string().transform(redisAddress).optional(),
    UPSTASH_REDIS_REST_URL: restUrl,
    UPSTASH_REDIS_REST_TOKEN: z.string().optional(),
    KV_REST_API_URL: restUrl,
    KV_REST_API_TOKEN: z.string().optional(),
  })
  .transform((given, context) => {
    const rest = pairs.map((names) => readPair(given, names, context)).find((pair) => pair !== null)
    const tcp = given.REDIS_URL && ({ kind: 'tcp', address: given.REDIS_URL } as const)
    // Vercel's functions keep no connections; the integration sets REDIS_URL beside the pair.
    const redis: RedisSettings | undefined = given.VERCEL ? (rest ?? tcp) : (tcp ?? rest)
    return { redis: redis ?? null }
  })

/** `rest` is Upstash's protocol. Null without Redis: the database then counts. */
type RedisSettings = { kind: 'tcp'; address: RedisAddress } | { kind: 'rest'; url: string; token: string }

type Given = Partial<Record<(typeof pairs)[number][number], string | undefined>>

/** Rejects half a pair: attempts would count elsewhere than the operator thinks. */
function readPair(given: Given, [urlName, tokenName]: (typeof pairs)[number], context: z.core.$RefinementCtx) {
  const { [urlName]: url, [tokenName]: token } = given
  if (url !== undefined && token !== undefined) return { kind: 'rest', url, token } as const
  if (token !== undefined) addFault(context, urlName, `must be set, because ${tokenName} is`)
  if (url !== undefined) addFault(context, tokenName, `must be set, because ${urlName} is`)
  return null
}
