/**
 * The IPv6 /48 around a client's /64. Providers assign a whole /48 to one customer, who then has 65,536 addresses.
 *
 * @param address of a `RequestContext`
 * @returns null for IPv4 and `unknown`
 */
export function surroundingNetwork(address: string): string | null {
  const [, groups] = /^([^:]+:[^:]+:[^:]+):[^:]+::\/64$/.exec(address) ?? []
  return groups === undefined ? null : `${groups}::/48`
}
