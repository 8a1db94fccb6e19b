import { decodeClientDataJSON } from '@simplewebauthn/server/helpers'
import { ApiError } from '@/lib/api/errors'
import { consumeToken } from '@/lib/database/consumed-tokens'
import { log } from '@/lib/process/log'
import type { RequestContext } from '../request-context'
import { consumeAttempt, requireRemainingAttempts } from '../throttling-policies'
import { type Claims, readToken } from '../tokens'

/** EdDSA, ES256, RS256: pinned, because newer Node versions would add algorithms that older ones cannot verify. */
export const algorithms = [-8, -7, -257]

/**
 * Takes the challenge out of an answer, checks the token that it is, and spends it: whatever the rest of the answer is
 * worth, it gets one try.
 *
 * @throws ApiError authentication_failed if it is no challenge of this type, too old, or spent
 */
export async function consumeChallenge<T extends 'register' | 'login'>(type: T, clientDataJSON: string) {
  const { challenge, token } = readChallenge(clientDataJSON)
  const claims: Claims<T> | null = await readToken(type, token)
  if (!claims || !(await consumeToken(claims.jti, claims.exp))) throw new ApiError('authentication_failed')
  return { challenge, claims }
}

function readChallenge(clientDataJSON: string) {
  try {
    const { challenge, crossOrigin } = decodeClientDataJSON(clientDataJSON)
    // Nobody may frame our pages, so no answer of ours comes from inside someone else's (WebAuthn section 13.4.9).
    if (crossOrigin === true || typeof challenge !== 'string') throw new ApiError('authentication_failed')
    return { challenge, token: Buffer.from(challenge, 'base64url').toString() }
  } catch (cause) {
    throw new ApiError('authentication_failed', { cause })
  }
}

/** Runs the library's verification. Whatever it says of a bad answer goes to the log, never to the client. */
export async function requireVerified<T extends { verified: boolean }>(verification: Promise<T>) {
  const result = await verification.catch((cause: unknown) => {
    throw new ApiError('authentication_failed', { cause })
  })
  if (!result.verified) throw new ApiError('authentication_failed')
  return result as T & { verified: true }
}

/** Failed verifications count against the address; good ones never do, however many come at once. */
export async function countingFailures<T>(context: RequestContext, verify: () => Promise<T>): Promise<T> {
  await requireRemainingAttempts('passkey', context.address)
  return verify().catch(async (error: unknown) => {
    if (!(error instanceof ApiError) || !['authentication_failed', 'unknown_passkey'].includes(error.code)) throw error
    log().info({ err: error.cause, code: error.code }, 'a passkey was refused')
    await consumeAttempt('passkey', context.address)
    throw error
  })
}
