import { randomUUID } from 'node:crypto'
import type { RequestContext } from '@/lib/auth/request-context'
import { clientAddress } from './client-address'
import { readCookie } from './cookies'
import { verifyClientAddress } from './remote-backend/signed-client-address'

/** The session token of a request, unchecked, or null. A bearer token wins over a cookie (RFC 6750 section 2.1). */
export const readSession = (headers: Headers) => readBearer(headers) ?? readCookie(headers, 'session')

/** No browser sends a longer User-Agent; this bounds the work of parsing one. */
const longestUserAgent = 512

/** @param request tells when the client disconnects; pages have none */
export async function readRequestContext(
  headers: Headers,
  request?: Request,
  requestId: string = randomUUID(),
): Promise<RequestContext> {
  return {
    address: (await verifyClientAddress(headers)) ?? clientAddress(headers),
    session: readSession(headers),
    device: readCookie(headers, 'device'),
    stepUp: headers.get('Latchkey-Step-Up'),
    userAgent: headers.get('User-Agent')?.slice(0, longestUserAgent) ?? null,
    requestId,
    // Read on demand: srvx makes its controller and listener then, and few requests wait for anything.
    get signal() {
      return request?.signal
    },
  }
}

/** @returns the token after `Bearer`, or null */
export function readBearer(headers: Headers): string | null {
  const [scheme, token = ''] = (headers.get('Authorization') ?? '').split(/\s+/)
  return scheme?.toLowerCase() === 'bearer' ? token : null
}
