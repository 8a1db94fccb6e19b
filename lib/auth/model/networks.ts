/** Providers assign a whole IPv6 /48 to one customer: 65,536 addresses. @returns null for IPv4 and `unknown` */
export function surroundingNetwork(address: string): string | null {
  const [, groups] = /^([^:]+:[^:]+:[^:]+):[^:]+::\/64$/.exec(address) ?? []
  return groups === undefined ? null : `${groups}::/48`
}

export const networkOf = (address: string): string => surroundingNetwork(address) ?? address
