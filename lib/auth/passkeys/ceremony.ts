import { cose, decodeCredentialPublicKey } from '@simplewebauthn/server/helpers'
import { ApiError, isApiError } from '@/lib/api/errors'
import { log } from '@/lib/process/log'
import type { RequestContext } from '../request-context'
import { consumeAttempt, requireRemainingAttempts } from '../throttling-policies'

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

/** Counts failed verifications against the address. Successes never count: many people may share an address. */
export async function throttleFailures<T>(context: RequestContext, verify: () => Promise<T>): Promise<T> {
  await requireRemainingAttempts('passkey', context.address)
  return verify().catch(async (error: unknown) => {
    if (!isApiError(error) || !['authentication_failed', 'unknown_passkey'].includes(error.code)) throw error
    log().info({ err: error.cause, code: error.code }, 'Passkey verification failed')
    await consumeAttempt('passkey', context.address)
    throw error
  })
}
