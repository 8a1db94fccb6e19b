import { ApiError } from '@/lib/api/errors'
import { passkeyFault } from './public-key'

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

interface NewCredential {
  id: string
  publicKey: Uint8Array<ArrayBuffer>
}

/** @param shownId of the response, which the library does not compare (WebAuthn section 5.1) */
export function requireUsablePasskey({ id, publicKey }: NewCredential, shownId: string): void {
  const fault = id === shownId ? passkeyFault(id, publicKey) : "the id is not the attested credential's"
  if (fault !== null) throw verificationFailed(fault)
}
