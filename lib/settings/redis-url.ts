/** What REDIS_URL names. */
export interface RedisAddress {
  kind: 'server' | 'cluster' | 'sentinel'
  /** One for the server, each node or each sentinel; they differ in host and port only. */
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
