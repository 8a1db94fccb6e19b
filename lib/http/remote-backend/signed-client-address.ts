import { clientAddressSeconds } from '@/lib/auth/tokens/claims'
import { issueToken, readToken } from '@/lib/auth/tokens/tokens'
import { log } from '@/lib/process/log'
import { singleton } from '@/lib/process/singleton'
import { clientAddress } from '../request/client-address'
import type { ReadableHeaders } from '../request/node-headers'

const header = 'Latchkey-Client-Address'

/** On a front end. Without an address, the backend uses the connection's. */
export async function signClientAddress(from: Headers, to: Headers): Promise<void> {
  const address = clientAddress(from)
  if (address === 'unknown') return
  const { token } = await issueToken('client-address', { address }, clientAddressSeconds)
  to.set(header, token)
}

export const hasSignedAddress = (headers: ReadableHeaders) => headers.get(header) !== null

/** On a backend. Trusted, since whoever holds the secret could impersonate anyone. */
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
