import * as z from 'zod'
import { deployment } from './deployment'
import { addFault } from './fields/fault'
import { httpUrl } from './origins'
import { parseRedisUrl, type RedisAddress } from './redis-url'

// No message repeats a value: a Redis URL may contain a password.
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

/** `rest` is Upstash's protocol. Null without Redis: rate limits are then kept in the database. */
type RedisSettings = { kind: 'tcp'; address: RedisAddress } | { kind: 'rest'; url: string; token: string }

type Given = Partial<Record<(typeof pairs)[number][number], string | undefined>>

/** Half a pair is a mistake: limits would be counted elsewhere than the operator thinks. */
function readPair(given: Given, [urlName, tokenName]: (typeof pairs)[number], context: z.core.$RefinementCtx) {
  const { [urlName]: url, [tokenName]: token } = given
  if (url !== undefined && token !== undefined) return { kind: 'rest', url, token } as const
  if (token !== undefined) addFault(context, urlName, `must be set, because ${tokenName} is`)
  if (url !== undefined) addFault(context, tokenName, `must be set, because ${urlName} is`)
  return null
}
