import { clientAddressSeconds, issueToken, readToken } from '@/lib/auth/tokens'
import { log } from '@/lib/process/log'
import { singleton } from '@/lib/process/singleton'
import { clientAddress } from '../client-address'

/** Where a front end deployed apart tells its backend, in a signed token, which address a request came from. */
const header = 'Latchkey-Client-Address'

/**
 * On a front end: states where `from` came from in the headers that go `to` the backend. States nothing where it is unknown:
 * the backend then counts the connection's own address.
 */
export async function signClientAddress(from: Headers, to: Headers): Promise<void> {
  const address = clientAddress(from)
  if (address === 'unknown') return
  const { token } = await issueToken('client-address', { address }, clientAddressSeconds)
  to.set(header, token)
}

/**
 * On a backend: the address that a front end states, or null. Whoever holds the secret could sign in as anybody, so its word
 * on an address is good; anybody else's is worth nothing.
 */
export async function verifyClientAddress(headers: Headers): Promise<string | null> {
  const token = headers.get(header)
  if (token === null) return null
  const claims = await readToken('client-address', token)
  if (!claims) singleton('client-address-warning', warn)
  return claims?.address ?? null
}

const warn = () =>
  log().warn(
    `a ${header} arrived that does not verify and is ignored: the front end's JWT_SECRET is not the same as here, the clocks are apart, or somebody made it up`,
  )
