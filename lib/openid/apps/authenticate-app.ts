import { OAuthError } from '@/lib/api/oauth-errors'
import { logSecurityEvent } from '@/lib/auth/audit/security-log'
import type { RequestContext } from '@/lib/auth/request'
import { consumeAddressAttempt } from '@/lib/auth/throttling/attempts'
import { type AppWithSecrets, isSecretOf } from './app'
import { findClient } from './documents'
import { refuse } from './refusals'

export interface AppCredentials {
  id: string
  secret: string | null
  /** `WWW-Authenticate` of a rejection */
  authenticate?: string
}

/**
 * Counts only wrong secrets, by address and app together: strangers can neither keep an app out nor, from many addresses,
 * guess 256 random bits.
 *
 * @throws OAuthError invalid_client
 * @throws ApiError too_many_attempts
 */
export async function authenticateApp(
  { id, secret, authenticate }: AppCredentials,
  context: RequestContext,
): Promise<AppWithSecrets> {
  const app = await findClient(id)
  if (app && isAuthentic(app, secret)) return app
  // Unknown ids share one count, or strangers could fill the table.
  await consumeAddressAttempt('app', context.address, (place) => JSON.stringify([place, app?.id ?? null]))
  logSecurityEvent('app_rejected', context, app ? { app: app.id } : {})
  if (app) await refuse(context, { app, reason: 'invalid_client' })
  throw new OAuthError('invalid_client', rejectionOf(app), authenticate === undefined ? {} : { authenticate })
}

function rejectionOf(app: AppWithSecrets | null): string {
  if (!app) return 'No app has this client_id.'
  return app.public ? 'This app is public: send client_id alone.' : 'The client secret is wrong or missing.'
}

/** A public app sends its id alone, a confidential one never does. */
const isAuthentic = (app: AppWithSecrets, secret: string | null) =>
  app.public ? secret === null : secret !== null && isSecretOf(app, secret)
