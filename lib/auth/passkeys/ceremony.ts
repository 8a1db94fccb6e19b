import { ApiError, isApiError } from '@/lib/api/errors'
import { log } from '@/lib/process/log'
import type { RequestContext } from '../model/request-context'
import { countFailures } from '../throttling/attempts'
import { weakness } from './public-key'

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

export function requireStrongKey(publicKey: Uint8Array<ArrayBuffer>): void {
  const found = weakness(publicKey)
  if (found !== null) throw new ApiError('authentication_failed', { cause: new Error(found) })
}

/** Counts failures against the address, and logs their reasons. */
export function throttleFailures<T>(context: RequestContext, verify: () => Promise<T>): Promise<T> {
  return countFailures('passkey', context.address, () =>
    verify().catch((error: unknown) => {
      if (isApiError(error)) log().info({ err: error.cause, code: error.code }, 'Passkey verification failed')
      throw error
    }),
  )
}
