import { cose, decodeCredentialPublicKey } from '@simplewebauthn/server/helpers'
import { ApiError, isApiError } from '@/lib/api/errors'
import { log } from '@/lib/process/log'
import type { RequestContext } from '../request-context'
import { countFailures } from '../throttling-policies'

/** EdDSA, ES256, RS256: fixed, because newer versions of Node offer algorithms that older ones cannot verify. */
export const algorithms = [-8, -7, -257]

/** SimpleWebAuthn's reason for rejecting a response goes to the log, never to the client. */
export async function requireVerified<T extends { verified: boolean }>(verification: Promise<T>) {
  const result = await verification.catch((cause: unknown) => {
    throw new ApiError('authentication_failed', { cause })
  })
  if (!result.verified) throw new ApiError('authentication_failed')
  return result as T & { verified: true }
}

const minRsaBits = 2048

/** An RSA key of 1024 bits can be factored, and the library accepts any (NIST SP 800-131A section 3). */
export function requireStrongKey(publicKey: Uint8Array<ArrayBuffer>): void {
  const key = decodeCredentialPublicKey(publicKey)
  if (!cose.isCOSEPublicKeyRSA(key)) return
  const modulus = Buffer.from(key.get(cose.COSEKEYS.n) ?? []).toString('hex')
  // Counted in bits without leading zeros, which could make a short modulus look long.
  const bits = BigInt(`0x0${modulus}`).toString(2).length
  if (bits < minRsaBits) throw new ApiError('authentication_failed', { cause: new Error(`RSA key of ${bits} bits`) })
}

/** Counts failed verifications against the address, and tells the log why they failed. */
export function throttleFailures<T>(context: RequestContext, verify: () => Promise<T>): Promise<T> {
  return countFailures('passkey', context.address, () =>
    verify().catch((error: unknown) => {
      if (isApiError(error)) log().info({ err: error.cause, code: error.code }, 'Passkey verification failed')
      throw error
    }),
  )
}
