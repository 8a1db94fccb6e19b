import type { Client } from '@/lib/auth/client'
import { clientAddress } from './address'
import { readCookie } from './cookies'

/** Who is asking, from the headers. A bearer token wins over a cookie (RFC 6750 section 2.1). */
export function readClient(headers: Headers): Client {
  return {
    address: clientAddress(headers),
    session: readBearer(headers) ?? readCookie(headers, 'session'),
    device: readCookie(headers, 'device'),
  }
}

function readBearer(headers: Headers): string | null {
  const [scheme, token = ''] = (headers.get('Authorization') ?? '').split(/\s+/)
  return scheme?.toLowerCase() === 'bearer' ? token : null
}
