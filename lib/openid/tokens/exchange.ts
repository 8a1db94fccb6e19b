import { hash } from 'node:crypto'
import { OAuthError } from '@/lib/api/oauth-errors'
import type { tokenInput } from '@/lib/api/schemas'
import type { Parsed } from '@/lib/auth/model/request-context'
import { recorder } from '@/lib/process/telemetry'
import { type AppWithSecrets, joined } from '../apps/app'
import { consumeCode, recordUse } from '../grants/codes'
import { findGiven, type Given } from '../grants/given'
import { isByPasskey } from '../grants/methods'
import { mayUse } from '../grants/person'
import { issueTokens, tokenSeconds } from './issue-tokens'

type TokenRequest = Parsed<typeof tokenInput> & { app: AppWithSecrets }

/**
 * The token endpoint (RFC 6749 section 4.1.3). The app is authenticated by now; the code is consumed first, so that
 * whoever has stolen it has one attempt, and then all that it is bound to is compared.
 */
export async function exchangeCode({ body, app, context }: TokenRequest) {
  const { grant_type, code, redirect_uri, code_verifier } = body
  if (grant_type !== 'authorization_code')
    throw new OAuthError('unsupported_grant_type', 'The grant_type must be authorization_code.')
  if (code === undefined) throw new OAuthError('invalid_request', 'There is no code.')
  const given = await findGiven(await consumeCode(code, context))
  if (!given || !isFor(app, given) || !isInTime(given) || !stillMay(app, given)) throw invalidGrant()
  if (given.redirectUri !== redirect_uri)
    throw new OAuthError('invalid_grant', 'The redirect_uri is not the one of the authorization request.')
  if (!isVerified(given, code_verifier))
    throw new OAuthError('invalid_grant', 'The code_verifier is not that of the code_challenge.')
  const { accessToken, idToken } = await issueTokens(given)
  await recordUse(given.id)
  recorder()?.count('latchkey.app_sign_ins', { app: app.id })
  return {
    access_token: accessToken,
    token_type: 'Bearer' as const,
    expires_in: tokenSeconds,
    id_token: idToken,
    scope: joined(given.scopes),
  }
}

const invalidGrant = () => new OAuthError('invalid_grant', 'The code is unknown, has expired or was used.')

/** A code of another app is worth nothing to this one (CVE-2026-28513). */
const isFor = (app: AppWithSecrets, given: Given) => given.appId === app.id

const isInTime = (given: Given) => given.validUntil > Date.now()

/** What an operator has decided since the code was issued. */
const stillMay = (app: AppWithSecrets, given: Given) =>
  mayUse(app, given.person) && (!app.requirePasskey || isByPasskey(given.amr))

/** RFC 7636 section 4.6. A verifier without a challenge is a request whose challenge was removed (RFC 9700 section 2.1.1). */
function isVerified({ challenge }: Given, verifier: string | undefined): boolean {
  if (challenge === null) return verifier === undefined
  return (
    verifier !== undefined && /^[\w.~-]{43,128}$/.test(verifier) && hash('sha256', verifier, 'base64url') === challenge
  )
}
