import { OAuthError } from '@/lib/api/oauth-errors'
import type { AppCredentials } from '@/lib/openid/apps/authenticate-app'
import { credentialsOf } from '../request/authorization-header'

const basic = { authenticate: 'Basic realm="apps"' }

/**
 * From `Authorization: Basic` or the form (RFC 6749 section 2.3.1), never from both: they could name two apps.
 *
 * @throws OAuthError invalid_request, invalid_client
 */
export function readAppCredentials(authorization: string | null, form: unknown): AppCredentials {
  const { client_id: id, client_secret: posted } = form as Record<string, string | undefined>
  const shown = readBasic(authorization)
  if (shown && (posted !== undefined || (id !== undefined && id !== shown.id)))
    throw new OAuthError('invalid_request', 'Use one way of client authentication: Basic or the form.')
  if (shown) return { ...shown, ...basic }
  if (id === undefined) throw new OAuthError('invalid_client', 'There is no client_id.')
  return { id, secret: posted ?? null }
}

/** Each part is percent-encoded. Null for another scheme. */
function readBasic(authorization: string | null): AppCredentials | null {
  const encoded = credentialsOf(authorization, 'basic')
  if (encoded === null) return null
  if (!/^[A-Za-z\d+/=_-]*$/.test(encoded))
    throw new OAuthError('invalid_client', 'Encode client_id:client_secret in Base64.', basic)
  const [, id = '', secret = ''] = /^([^:]*):(.*)$/s.exec(Buffer.from(encoded, 'base64').toString()) ?? []
  try {
    return { id: decodePart(id), secret: decodePart(secret) || null }
  } catch {
    throw new OAuthError('invalid_client', 'Percent-encode client_id and client_secret.', basic)
  }
}

const decodePart = (part: string) => decodeURIComponent(part.replaceAll('+', ' '))
