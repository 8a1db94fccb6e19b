import { OAuthError } from '@/lib/api/oauth-errors'
import { credentialsOf } from './authorization-header'

/** Unverified (RFC 6750 section 2.1); null for anything but one word. */
export function bearerOf(authorization: string | null): string | null {
  const token = credentialsOf(authorization, 'bearer')
  return token !== null && /^\S+$/.test(token) ? token : null
}

/** Unverified, from the header or the form (RFC 6750 section 2). @throws OAuthError invalid_request if it comes both ways */
export function readBearerToken(authorization: string | null, form: unknown): string | null {
  const header = bearerOf(authorization)
  const { access_token: posted } = (form ?? {}) as { access_token?: string }
  if (header !== null && posted !== undefined)
    throw new OAuthError('invalid_request', 'Send the access token in the header or in the form, not in both.')
  return header ?? posted ?? null
}
