import { parseRedisUrl, type RedisAddress } from '@/lib/settings/redis-url'

/** What REDIS_URL of this text names. */
export function redisAddress(text: string): RedisAddress {
  const address = parseRedisUrl(text)
  if (address === null) throw new Error(`${text} is not what REDIS_URL can be.`)
  return address
}
