import { decodeClientDataJSON } from '@simplewebauthn/server/helpers'
import { ApiError } from '@/lib/api/errors'
import { consumeToken } from '@/lib/database/consumed-tokens'
import { unflushed } from '@/lib/database/direct-sql'
import { logIfForged } from '../audit/log-rejection'
import type { RequestContext } from '../model/request-context'
import type { Session } from '../sessions/sessions'
import { type Claims, readToken } from '../tokens/tokens'

/**
 * Consumes the challenge of a response. Call it before verifying the rest, so that a challenge allows a single try.
 *
 * @returns the challenge as the response has it, and the claims of the token that it encodes
 * @throws ApiError authentication_failed if the token is invalid or has been consumed
 */
export async function consumeChallenge<T extends 'register' | 'login'>(
  type: T,
  clientDataJSON: string,
  context: RequestContext,
) {
  const { challenge, token } = readChallenge(clientDataJSON)
  const claims: Claims<T> | null = await readToken(type, token)
  if (!claims) await logIfForged(token, context)
  // A power cut could only restore the challenge of a response that nobody was answered: what a right one writes is flushed.
  if (!claims || !(await consumeToken(claims, unflushed.changes))) throw new ApiError('authentication_failed')
  return { challenge, claims }
}

function readChallenge(clientDataJSON: string) {
  try {
    const { challenge, crossOrigin } = decodeClientDataJSON(clientDataJSON)
    // Our pages cannot be framed, so no genuine response is cross-origin (WebAuthn section 13.4.9).
    if (crossOrigin === true || typeof challenge !== 'string') throw new ApiError('authentication_failed')
    return { challenge, token: Buffer.from(challenge, 'base64url').toString() }
  } catch (cause) {
    throw new ApiError('authentication_failed', { cause })
  }
}

/**
 * A challenge that a session asked for works in that session alone, so that a response cannot be carried over to another.
 *
 * @throws ApiError authentication_failed
 */
export function requireSameSession({ sid }: { sid?: string | undefined }, session: Session | null): void {
  if (sid !== undefined && session?.claims.jti !== sid) throw new ApiError('authentication_failed')
}
