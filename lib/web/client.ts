import type { Client } from '@/lib/auth/client'
import { clientAddress } from './address'
import { readCookie } from './cookies'
import { statedAddress } from './stated-address'

/** Who is asking, from the headers. A bearer token wins over a cookie (RFC 6750 section 2.1). */
export async function readClient(headers: Headers): Promise<Client> {
  return {
    address: (await statedAddress(headers)) ?? clientAddress(headers),
    session: readBearer(headers) ?? readCookie(headers, 'session'),
    device: readCookie(headers, 'device'),
  }
}

function readBearer(headers: Headers): string | null {
  const [scheme, token = ''] = (headers.get('Authorization') ?? '').split(/\s+/)
  return scheme?.toLowerCase() === 'bearer' ? token : null
}
