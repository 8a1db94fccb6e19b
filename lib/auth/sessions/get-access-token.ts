import { ApiError } from '@/lib/api/errors'
import type { accessTokenInput } from '@/lib/api/schemas'
import { settings } from '@/lib/settings/settings'
import type { Parsed } from '../model/request-context'
import { issueAccessToken } from '../tokens/access-tokens'
import type { Session } from './sessions'

interface TokenRequest extends Pick<Parsed<typeof accessTokenInput>, 'body'> {
  session: Session
  /** Of the page that asks, if it is one of CLIENT_ORIGINS */
  clientOrigin: string | null
}

/**
 * An access token for another app. A page gets none but its own, whatever `audience` says: with one for another app it could
 * act there as the person.
 */
export async function getAccessToken({ body, session: { user, claims }, clientOrigin }: TokenRequest) {
  const app = clientOrigin ?? body.audience
  if (app === undefined || !settings().clientOrigins.includes(app))
    throw new ApiError('invalid_request', { fields: { audience: { key: 'audience_unknown' } } })
  const { token, exp } = await issueAccessToken(user.username, claims, app, app)
  return { token, expiresAt: new Date(exp * 1000).toISOString() }
}
