import { ApiError } from '@/lib/api/errors'
import { accessTokenInput } from '@/lib/api/schemas'
import { settings } from '@/lib/settings/settings'
import { issueAccessToken } from './access-tokens'
import type { RequestContext } from './request-context'
import { requireSession } from './sessions'
import { parse } from './validation'

/**
 * An access token for another app.
 *
 * @param body `{audience?}`: one of CLIENT_ORIGINS
 * @param clientOrigin of the page that asks, if it is one of CLIENT_ORIGINS. It gets no token for another app, where it could
 *   then act as the person, so `audience` has no effect.
 * @throws ApiError not_signed_in, invalid_request
 */
export async function getAccessToken(
  body: unknown,
  context: RequestContext,
  clientOrigin: string | null,
): Promise<{ token: string; expiresAt: string }> {
  const { user, claims } = await requireSession(context.session)
  const { audience } = parse(accessTokenInput.default({}), body)
  const app = clientOrigin ?? audience
  if (app === undefined || !settings().clientOrigins.includes(app))
    throw new ApiError('invalid_request', { fields: { audience: { key: 'audience_unknown' } } })
  const { token, exp } = await issueAccessToken(user.username, claims, app, app)
  return { token, expiresAt: new Date(exp * 1000).toISOString() }
}
