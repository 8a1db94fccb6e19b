import { isOAuthError, OAuthError, type OAuthErrorCode } from '@/lib/api/oauth-errors'
import { recorder } from '@/lib/process/recorder'
import { type RefusalReason, refuse } from '../apps/refusals'
import { joinSpaced } from '../apps/space-separated'
import { recordGrantUse } from '../grants/grants'
import { tokenSeconds } from '../token-lifetime'
import { exchangeCode } from './exchange'
import { issueTokens } from './issue-tokens'
import { refreshTokens } from './refresh'
import type { TokenRequest } from './token-request'

const exchanges = { authorization_code: exchangeCode, refresh_token: refreshTokens }

export const grantTypes = Object.keys(exchanges)

const isKnown = (type: string): type is keyof typeof exchanges => Object.hasOwn(exchanges, type)

const reasons: Partial<Record<OAuthErrorCode, RefusalReason>> = {
  invalid_request: 'invalid_request',
  unsupported_grant_type: 'invalid_request',
  invalid_grant: 'invalid_grant',
  invalid_scope: 'invalid_scope',
}

/** The token endpoint (RFC 6749 section 3.2). */
export async function handleTokenRequest(request: TokenRequest) {
  try {
    return await tokensFor(request)
  } catch (error) {
    const reason = isOAuthError(error) ? reasons[error.code] : undefined
    if (reason) await refuse(request.context, { app: request.app, reason })
    throw error
  }
}

async function tokensFor(request: TokenRequest) {
  const { grant_type: type } = request.body
  if (!isKnown(type))
    throw new OAuthError('unsupported_grant_type', `The grant_type must be ${grantTypes.join(' or ')}.`)
  const { issued, refreshToken } = await exchanges[type](request)
  const { accessToken, idToken } = await issueTokens(issued)
  await recordGrantUse(issued.id)
  const counter = type === 'refresh_token' ? 'latchkey.app_refreshes' : 'latchkey.app_sign_ins'
  recorder()?.count(counter, { app: request.app.id })
  return {
    access_token: accessToken,
    token_type: 'Bearer' as const,
    expires_in: tokenSeconds,
    id_token: idToken,
    scope: joinSpaced(issued.scopes),
    ...(refreshToken !== null && { refresh_token: refreshToken }),
  }
}
