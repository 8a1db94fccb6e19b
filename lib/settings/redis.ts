import * as z from 'zod'
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

export const redisSchema = z
  .object({
    REDIS_URL: z.string().transform(redisAddress).optional(),
    UPSTASH_REDIS_REST_URL: z
      .string()
      .refine((text) => httpUrl(text) !== null, 'must be a REST URL, such as https://NAME.upstash.io')
      .optional(),
    UPSTASH_REDIS_REST_TOKEN: z.string().optional(),
  })
  .transform(({ REDIS_URL: address, UPSTASH_REDIS_REST_URL: url, UPSTASH_REDIS_REST_TOKEN: token }, context) => {
    if (address !== undefined && (url ?? token) !== undefined) {
      const message = 'must not be set together with UPSTASH_REDIS_REST_URL or _TOKEN: rate limits use a single Redis'
      addFault(context, 'REDIS_URL', message)
    } else if (url === undefined && token !== undefined) {
      addFault(context, 'UPSTASH_REDIS_REST_URL', 'must be set, because UPSTASH_REDIS_REST_TOKEN is')
    } else if (url !== undefined && token === undefined) {
      addFault(context, 'UPSTASH_REDIS_REST_TOKEN', 'must be set, because UPSTASH_REDIS_REST_URL is')
    }
    return { redis: connection(address, url, token) }
  })

/** `rest` is Upstash's protocol. */
type RedisSettings = { kind: 'tcp'; address: RedisAddress } | { kind: 'rest'; url: string; token: string }

/** Null without Redis: rate limits are then kept in the database. */
function connection(address?: RedisAddress, url?: string, token?: string): RedisSettings | null {
  if (address !== undefined) return { kind: 'tcp', address }
  return url === undefined || token === undefined ? null : { kind: 'rest', url, token }
}
