import { parseRedisUrl, type RedisAddress } from '@/lib/settings/redis'

/** Parses a REDIS_URL. Throws if it is invalid. */
export function redisAddress(text: string): RedisAddress {
  const address = parseRedisUrl(text)
  if (address === null) throw new Error(`${text} is not a valid REDIS_URL.`)
  return address
}
