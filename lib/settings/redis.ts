export interface RedisSettings {
  url: string
  /** Null over TCP; the bearer token of Upstash's REST protocol. */
  token: string | null
}

/**
 * Reads where attempts are counted: a plain Redis, Upstash's REST address, or neither. No fault repeats a value: an
 * address may hold a password.
 *
 * @param given the environment without empty variables
 * @param faults gets one line per fault
 */
export function readRedis(given: Readonly<Record<string, string | undefined>>, faults: string[]): RedisSettings | null {
  const { REDIS_URL, UPSTASH_REDIS_REST_URL, UPSTASH_REDIS_REST_TOKEN } = given
  if (REDIS_URL === undefined) return readUpstash(UPSTASH_REDIS_REST_URL, UPSTASH_REDIS_REST_TOKEN, faults)
  if ((UPSTASH_REDIS_REST_URL ?? UPSTASH_REDIS_REST_TOKEN) !== undefined) {
    faults.push('REDIS_URL must not be set beside UPSTASH_REDIS_REST_URL and _TOKEN: attempts are counted in one place')
  }
  if (!hasProtocol(REDIS_URL, 'redis:', 'rediss:')) {
    faults.push('REDIS_URL must be redis://HOST:PORT, or rediss://USER:PASSWORD@HOST:PORT for TLS')
  }
  return { url: REDIS_URL, token: null }
}

function readUpstash(url: string | undefined, token: string | undefined, faults: string[]) {
  if (url === undefined && token === undefined) return null
  if (token === undefined) faults.push('UPSTASH_REDIS_REST_TOKEN must be set, for UPSTASH_REDIS_REST_URL is')
  if (url === undefined) faults.push('UPSTASH_REDIS_REST_URL must be set, for UPSTASH_REDIS_REST_TOKEN is')
  else if (!hasProtocol(url, 'https:', 'http:')) {
    faults.push('UPSTASH_REDIS_REST_URL must be the REST address, such as https://NAME.upstash.io')
  }
  return url === undefined || token === undefined ? null : { url, token }
}

function hasProtocol(text: string, ...protocols: string[]) {
  const url = URL.canParse(text) ? new URL(text) : null
  return url !== null && url.hostname !== '' && protocols.includes(url.protocol)
}
