import { ApiError } from '@/lib/api/errors'
import { accessTokenInput } from '@/lib/api/schemas'
import { settings } from '@/lib/settings/settings'
import { issueAccessToken } from './access-tokens'
import type { RequestContext } from './request-context'
import { requireSession } from './sessions'
import { parse } from './validation'

interface TokenRequest {
  /** `{audience?}`: one of CLIENT_ORIGINS */
  body: unknown
  context: RequestContext
  /** Of the page that asks, if it is one of CLIENT_ORIGINS */
  clientOrigin: string | null
}

/**
 * An access token for another app. A page gets none but its own, whatever `audience` says: with one for another app it could
 * act there as the person.
 *
 * @throws ApiError not_signed_in, invalid_request
 */
export async function getAccessToken({ body, context, clientOrigin }: TokenRequest) {
  const { user, claims } = await requireSession(context.session)
  const { audience } = parse(accessTokenInput.default({}), body)
  const app = clientOrigin ?? audience
  if (app === undefined || !settings().clientOrigins.includes(app))
    throw new ApiError('invalid_request', { fields: { audience: { key: 'audience_unknown' } } })
  const { token, exp } = await issueAccessToken(user.username, claims, app, app)
  return { token, expiresAt: new Date(exp * 1000).toISOString() }
}
