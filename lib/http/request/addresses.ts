import { isIPv4 } from 'node:net'
import ipaddr from 'ipaddr.js'
import { clientAddressSeconds } from '@/lib/auth/tokens/claims'
import { issueToken, readToken } from '@/lib/auth/tokens/tokens'
import { log } from '@/lib/process/log'
import { ownServerRuns } from '@/lib/process/own-server'
import { singleton } from '@/lib/process/singleton'
import { settings } from '@/lib/settings/settings'
import type { ReadableHeaders } from './head'

/* What a proxy says of the request that it passes on: the client's address, the protocol, and which app's page is asked for. */

/** True if X-Forwarded-For is reliable: server.ts appends the socket's address to it, and Vercel overwrites it. */
const isAddressKnown = () => ownServerRuns() || settings().onVercel

/** Called at startup. */
export function warnOfUnknownAddresses(): void {
  if (!isAddressKnown())
    log().warn('no client address is known here: all requests share the rate limits of one address')
}

/**
 * The client's IPv4 address, IPv6 /64 (providers assign at least that much), or `unknown`. Takes the entry of X-Forwarded-For
 * that stands TRUSTED_PROXIES places from the right: clients can forge those further left.
 */
export function clientAddress(headers: ReadableHeaders): string {
  if (!isAddressKnown()) return 'unknown'
  // Counts every entry: if it dropped those that are no address, a forged one would move into place.
  const entry = (headers.get('X-Forwarded-For') ?? '').split(',').at(-1 - settings().trustedProxies)
  return parseAddress(entry?.trim() ?? '') ?? 'unknown'
}

/** Removes the port that some proxies include: 1.2.3.4:5678, [2001:db8::1]:5678. */
const withoutPort = (text: string) => text.replace(/^\[(.*)\](:\d+)?$/, '$1').replace(/^([\d.]+):\d+$/, '$1')

function parseAddress(entry: string): string | null {
  const text = withoutPort(entry)
  // Not ipaddr.js's own check, which throws and catches an error for each address of IPv6.
  if (isIPv4(text)) return text
  if (!ipaddr.IPv6.isValid(text)) return null
  const address = ipaddr.IPv6.parse(text)
  // A dual-stack socket reports ::ffff:1.2.3.4.
  if (address.isIPv4MappedAddress()) return address.toIPv4Address().toString()
  return `${address.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`
}

/** Reads the trusted proxy's entry: proxies append theirs to the right of what a client wrote, as in X-Forwarded-For. */
export function cameByHttp(headers: ReadableHeaders): boolean {
  const { trustedProxies } = settings()
  if (trustedProxies === 0) return false
  const entries = (headers.get('X-Forwarded-Proto') ?? '').split(',')
  return (entries.at(-trustedProxies) ?? entries[0])?.trim().toLowerCase() === 'http'
}

/**
 * The host of the request that a reverse proxy wants forward-auth to check. Without X-Forwarded-Uri, an X-Forwarded-Host that
 * equals Host names no app: it is Next's own copy of Host.
 */
export function proxiedHost(headers: ReadableHeaders): string | null {
  const host = headers.get('X-Forwarded-Host')
  return headers.get('X-Forwarded-Uri') !== null || host !== headers.get('Host') ? host : null
}

/* A front end signs the address for its backend, whose connections all come from the front end. */

const header = 'Latchkey-Client-Address'

/** Signs the client's address for the backend, on a front end. If it is unknown, the backend takes the connection's. */
export async function signClientAddress(from: Headers, to: Headers): Promise<void> {
  const address = clientAddress(from)
  if (address === 'unknown') return
  const { token } = await issueToken('client-address', { address }, clientAddressSeconds)
  to.set(header, token)
}

export const hasSignedAddress = (headers: ReadableHeaders) => headers.get(header) !== null

/** Reads the signed address, on a backend. Trusts it: whoever holds the secret could impersonate anyone anyway. */
export async function verifyClientAddress(headers: Headers): Promise<string | null> {
  const token = headers.get(header)
  if (token === null) return null
  const claims = await readToken('client-address', token)
  if (!claims) singleton('client-address-warning', warn)
  return claims?.address ?? null
}

const warn = () =>
  log().warn(
    `ignored a ${header} that does not verify: the front end has another JWT_SECRET, the clocks differ, or the header is forged`,
  )
