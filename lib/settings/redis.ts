import * as z from 'zod'
import { addFault } from './fields/fault'
import { httpUrl } from './origins'
import { parseRedisUrl } from './redis-url'

// No message repeats a value: a Redis URL may contain a password.
export const redisSchema = z
  .object({
    REDIS_URL: z
      .string()
      .refine(
        (text) => parseRedisUrl(text) !== null,
        'must be redis://HOST:PORT, or rediss://USER:PASSWORD@HOST:PORT for TLS; for a Redis Cluster, several that differ in HOST and PORT only, separated by commas; for Sentinels, redis+sentinel://HOST:PORT,HOST:PORT/NAME',
      )
      .optional(),
    UPSTASH_REDIS_REST_URL: z
      .string()
      .refine((text) => httpUrl(text) !== null, 'must be a REST URL, such as https://NAME.upstash.io')
      .optional(),
    UPSTASH_REDIS_REST_TOKEN: z.string().optional(),
  })
  .transform(({ REDIS_URL, UPSTASH_REDIS_REST_URL: url, UPSTASH_REDIS_REST_TOKEN: token }, context) => {
    if (REDIS_URL !== undefined && (url ?? token) !== undefined) {
      const message = 'must not be set together with UPSTASH_REDIS_REST_URL or _TOKEN: rate limits use a single Redis'
      addFault(context, 'REDIS_URL', message)
    } else if (url === undefined && token !== undefined) {
      addFault(context, 'UPSTASH_REDIS_REST_URL', 'must be set, because UPSTASH_REDIS_REST_TOKEN is')
    } else if (url !== undefined && token === undefined) {
      addFault(context, 'UPSTASH_REDIS_REST_TOKEN', 'must be set, because UPSTASH_REDIS_REST_URL is')
    }
    return { redis: connection(REDIS_URL, url, token) }
  })

/** Null without Redis: rate limits are then kept in the database. The token is Upstash's; null means plain Redis over TCP. */
function connection(redisUrl: string | undefined, restUrl: string | undefined, token: string | undefined) {
  if (redisUrl !== undefined) return { url: redisUrl, token: null }
  return restUrl === undefined || token === undefined ? null : { url: restUrl, token }
}
