import ipaddr from 'ipaddr.js'
import { log } from '@/lib/process/log'
import { singleton } from '@/lib/process/singleton'
import { settings } from '@/lib/settings/settings'

/** Who writes X-Forwarded-For: server.ts appends the connection's address, Vercel overwrites the header; others cannot be trusted. */
const source = () => singleton('address-source', () => ({ known: process.env.VERCEL === '1' }))

/** Called by server.ts, which appends the connection's own address to X-Forwarded-For. */
export function trustForwardedFor(): void {
  source().known = true
}

/** Says at the start, where it is so, that requests cannot be told apart by address here. */
export function warnOfUnknownAddresses(): void {
  if (!source().known) log().warn('no client address is known here: all requests share the quotas of one address')
}

/**
 * The client's network, for counting: the entry of X-Forwarded-For that stands TRUSTED_PROXIES places from the right. What
 * stands further left is the client's own claim.
 *
 * @returns an IPv4 address, an IPv6 /64 (one customer gets at least that much), or `unknown`
 */
export function clientAddress(headers: Headers): string {
  if (!source().known) return 'unknown'
  const entries = (headers.get('X-Forwarded-For') ?? '').split(',').flatMap((text) => parseAddress(text.trim()) ?? [])
  return entries.at(-1 - settings().trustedProxies) ?? entries[0] ?? 'unknown'
}

/** Some proxies write the port as well: 1.2.3.4:5678, [2001:db8::1]:5678. */
const withoutPort = (text: string) => text.replace(/^\[(.*)\](:\d+)?$/, '$1').replace(/^([\d.]+):\d+$/, '$1')

function parseAddress(entry: string): string | null {
  const text = withoutPort(entry)
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return text
  if (!ipaddr.IPv6.isValid(text)) return null
  const address = ipaddr.IPv6.parse(text)
  // Node reports IPv4 clients of a dual-stack socket as ::ffff:1.2.3.4.
  if (address.isIPv4MappedAddress()) return address.toIPv4Address().toString()
  return `${address.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`
}
