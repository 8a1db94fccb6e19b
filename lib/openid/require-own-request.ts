import { ApiError } from '@/lib/api/errors'
import type { Session } from '@/lib/auth/sessions/find-session'
import { type Claims, rootOf } from '@/lib/auth/tokens/claims'
import { readToken } from '@/lib/auth/tokens/tokens'

type OwnRequest = 'app-request' | 'sign-out-request'

/** The request that this session is to confirm. @throws ApiError invalid_request if it is another's, altered or expired */
export async function requireOwnRequest(
  type: OwnRequest,
  token: string,
  session: Session,
): Promise<Claims<OwnRequest>> {
  const claims: Claims<OwnRequest> | null = await readToken(type, token)
  if (claims?.sid !== rootOf(session.claims)) throw invalidRequest()
  return claims
}

export const invalidRequest = () => new ApiError('invalid_request', { fields: { request: { key: 'invalid' } } })
