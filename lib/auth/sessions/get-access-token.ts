import { ApiError } from '@/lib/api/errors'
import type { accessTokenInput } from '@/lib/api/schemas'
import { settings } from '@/lib/settings/settings'
import type { Parsed } from '../model/request-context'
import { isoOfMilliseconds } from '../model/time'
import { issueAccessToken } from '../tokens/access-tokens'
import type { Session } from './find-session'

interface TokenRequest extends Pick<Parsed<typeof accessTokenInput>, 'body'> {
  session: Session
  clientOrigin: string | null
}

/** A page gets tokens for its own app only, whatever `audience` says: with another's it could act there as the user. */
export async function getAccessToken({ body, session: { user, claims }, clientOrigin }: TokenRequest) {
  const app = clientOrigin ?? body.audience
  if (app === undefined || !settings().clientOrigins.includes(app))
    throw new ApiError('invalid_request', { fields: { audience: { key: 'audience_unknown' } } })
  const { token, exp } = await issueAccessToken(user, claims, app)
  return { token, expiresAt: isoOfMilliseconds(exp * 1000) }
}
