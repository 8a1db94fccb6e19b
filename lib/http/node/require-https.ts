import type { IncomingMessage, ServerResponse } from 'node:http'
import { ApiError } from '@/lib/api/errors'
import { settings } from '@/lib/settings/settings'
import { hasSignedAddress } from '../remote-backend/signed-client-address'
import { nodeHeaders } from '../request/node-headers'
import { proxiedHost } from '../request/proxied-host'
import { pathOf } from '../request/request-target'
import { strictHeaders } from '../response/security-headers'
import type { Listener } from './listener'
import { rejectWith } from './reject'

/**
 * What answers a request that came by http although our origin is https: who listens on the way could read a password, and
 * write the answer. Only a trusted proxy's word counts, and without one nothing is known. Null for a request that may go on.
 */
export function httpRejection(request: IncomingMessage): Listener | null {
  const { secureCookies, trustedProxies } = settings()
  if (!secureCookies || trustedProxies === 0 || !cameByHttp(request, trustedProxies)) return null
  if (isAboutAnotherConnection(request)) return null
  return request.method === 'GET' || request.method === 'HEAD' ? redirectToHttps : rejectHttp
}

/** Proxies that append to the header leave what a client wrote to its left, as in X-Forwarded-For. */
function cameByHttp({ headers }: IncomingMessage, trustedProxies: number): boolean {
  const entries = (headers['x-forwarded-proto']?.toString() ?? '').split(',')
  return (entries.at(-trustedProxies) ?? entries[0])?.trim().toLowerCase() === 'http'
}

/** A probe of the machine's own, an app's request that a proxy has us check, and what a front end forwards. */
function isAboutAnotherConnection({ headers, url = '' }: IncomingMessage): boolean {
  const path = pathOf(url)
  const all = nodeHeaders(headers)
  return path === '/api/health' || (path === '/api/forward-auth' && proxiedHost(all) !== null) || hasSignedAddress(all)
}

/** To the origin that the client has asked for, if it is one of ours: any other would send people elsewhere. */
function redirectToHttps({ headers: { host }, url = '' }: IncomingMessage, response: ServerResponse): void {
  const { origins } = settings()
  const origin =
    origins.find((ours) => new URL(ours).hostname === host?.replace(/:\d+$/, '').toLowerCase()) ?? origins[0]
  response.writeHead(308, { ...strictHeaders(true), Location: origin + url, 'Cache-Control': 'no-store' }).end()
}

/** A redirect would have the client send its body again, and everything in it has been read on the way. */
const rejectHttp = rejectWith(new ApiError('invalid_request', { fields: { protocol: { key: 'not_https' } } }))
