import { OAuthError } from '@/lib/api/oauth-errors'

/**
 * An app's access token, unverified, from the header or the form (RFC 6750 sections 2.1 and 2.2); null without one.
 *
 * @throws OAuthError invalid_request if it comes both ways
 */
export function readBearerToken(authorization: string | null, form: unknown): string | null {
  const [, header] = /^bearer +(\S+) *$/i.exec(authorization ?? '') ?? []
  const { access_token: posted } = (form ?? {}) as { access_token?: string }
  if (header !== undefined && posted !== undefined)
    throw new OAuthError('invalid_request', 'Send the access token in the header or in the form, not in both.')
  return header ?? posted ?? null
}
