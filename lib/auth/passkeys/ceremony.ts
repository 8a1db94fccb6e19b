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
