import { ApiError } from '@/lib/api/errors'

export type Ceremony = 'register' | 'login'

/** EdDSA, ES256, RS256: fixed, because newer versions of Node offer algorithms that older ones cannot verify. */
export const algorithms = [-8, -7, -257]

/** @param reason for the log only */
export const verificationFailed = (reason: string) =>
  new ApiError('authentication_failed', { cause: new Error(reason) })

/** SimpleWebAuthn's reason for rejecting a response goes to the log, never to the client. */
export async function requireVerified<T extends { verified: boolean }>(verify: () => Promise<T>) {
  const result = await verify().catch((cause: unknown) => {
    throw new ApiError('authentication_failed', { cause })
  })
  if (!result.verified) throw verificationFailed('the signature is invalid')
  return result as T & { verified: true }
}
