import { OAuthError } from '@/lib/api/oauth-errors'
import { logSecurityEvent } from '@/lib/auth/events/security-log'
import { credentialsOf, type RequestContext } from '@/lib/auth/request'
import { consumeAddressAttempt } from '@/lib/auth/throttling/attempts'
import { type AppWithSecrets, isSecretOf } from './app'
import { findClient } from './find'
import { refuse } from './refusals'

/**
 * Authenticates an app by its id, and its secret unless it is public. Counts only wrong secrets, by address and app together:
 * strangers can neither keep an app out nor, from many addresses, guess 256 random bits.
 *
 * @throws OAuthError invalid_request, invalid_client
 * @throws ApiError too_many_attempts
 */
export async function authenticateApp(
  authorization: string | null,
  form: unknown,
  context: RequestContext,
): Promise<AppWithSecrets> {
  const { id, secret, details } = readAppCredentials(authorization, form)
  const app = await findClient(id)
  if (app && isAuthentic(app, secret)) return app
  // Unknown ids share one count, or strangers could fill the table.
  await consumeAddressAttempt('app', context.address, (place) => JSON.stringify([place, app?.id ?? null]))
  logSecurityEvent('app_rejected', context, app ? { app: app.id } : {})
  if (app) await refuse(context, { app, reason: 'invalid_client' })
  throw new OAuthError('invalid_client', rejectionOf(app), details)
}

function rejectionOf(app: AppWithSecrets | null): string {
  if (!app) return 'No app has this client_id.'
  return app.public ? 'This app is public: send client_id alone.' : 'The client secret is wrong or missing.'
}

/** A public app sends its id alone, a confidential one never does. */
const isAuthentic = (app: AppWithSecrets, secret: string | null) =>
  app.public ? secret === null : secret !== null && isSecretOf(app, secret)

interface AppCredentials {
  id: string
  secret: string | null
  /** Of a rejection */
  details: { authenticate?: string }
}

/** The details of the rejection of `Basic`, which names the scheme (RFC 6749 section 5.2). */
const basic = { authenticate: 'Basic realm="apps"' }

/**
 * Reads an app's id and secret from `Authorization: Basic` or the form (RFC 6749 section 2.3.1). Rejects both at once: they
 * could name two apps.
 *
 * @throws OAuthError invalid_request, invalid_client
 */
export function readAppCredentials(authorization: string | null, form: unknown): AppCredentials {
  const { client_id: id, client_secret: posted } = form as Record<string, string | undefined>
  const shown = readBasic(authorization)
  if (shown && (posted !== undefined || (id !== undefined && id !== shown.id)))
    throw new OAuthError('invalid_request', 'Use one way of client authentication: Basic or the form.')
  if (shown) return shown
  if (id === undefined) throw new OAuthError('invalid_client', 'There is no client_id.')
  return { id, secret: posted ?? null, details: {} }
}

/** Decodes `Basic`, whose two parts are percent-encoded; null for another scheme. */
function readBasic(authorization: string | null): AppCredentials | null {
  const encoded = credentialsOf(authorization, 'basic')
  if (encoded === null) return null
  if (!/^[A-Za-z\d+/=_-]*$/.test(encoded))
    throw new OAuthError('invalid_client', 'Encode client_id:client_secret in Base64.', basic)
  const [, id = '', secret = ''] = /^([^:]*):(.*)$/s.exec(Buffer.from(encoded, 'base64').toString()) ?? []
  try {
    return { id: decodePart(id), secret: decodePart(secret) || null, details: basic }
  } catch {
    throw new OAuthError('invalid_client', 'Percent-encode client_id and client_secret.', basic)
  }
}

const decodePart = (part: string) => decodeURIComponent(part.replaceAll('+', ' '))
