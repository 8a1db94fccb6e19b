import { OAuthError } from '@/lib/api/oauth-errors'
import { bearerOf } from '../request/bearer-token'

/** Unverified, from the header or the form (RFC 6750 section 2). @throws OAuthError invalid_request if it comes both ways */
export function readAccessToken(authorization: string | null, form: unknown): string | null {
  const header = bearerOf(authorization)
  const { access_token: posted } = (form ?? {}) as { access_token?: string }
  if (header !== null && posted !== undefined)
    throw new OAuthError('invalid_request', 'Send the access token in the header or in the form, not in both.')
  return header ?? posted ?? null
}
