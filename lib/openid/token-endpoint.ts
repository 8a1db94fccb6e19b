import { hash } from 'node:crypto'
import { isOAuthError, OAuthError, type OAuthErrorCode } from '@/lib/api/oauth-errors'
import type { revocationInput, tokenInput } from '@/lib/api/schemas'
import type { Parsed } from '@/lib/auth/request'
import { consumeAttempt, refundOnError } from '@/lib/auth/throttling/attempts'
import { consumeToken } from '@/lib/auth/tokens/tokens'
import { readRows } from '@/lib/database/sql'
import { recorder } from '@/lib/process/recorder'
import { type AppWithSecrets, joinSpaced, knownScopes, splitSpaced } from './apps/app'
import { includesOfflineAccess, recordGrantUse } from './apps/grants'
import { type RefusalReason, refuse } from './apps/refusals'
import {
  findUsableApis,
  identifiersIn,
  isWantedAtApi,
  ownScopes,
  soleResource,
  type Target,
  targetAt,
  targetOf,
  withFirst,
} from './apps/resources'
import { pollDevice } from './requests/devices'
import { issueMachineToken, issueTokens, readUserinfoToken } from './tokens/access-and-id-tokens'
import {
  consumeCode,
  endIssuedCode,
  endWithoutFamily,
  findIssuedCode,
  type IssuedCode,
  invalidCode,
} from './tokens/codes'
import { endFamily, familyOf, invalidRefreshToken, isUnused, rotateToken, startFamily } from './tokens/refresh-tokens'

/** The grants of people's tokens, and that of a machine's. */
const exchanges = {
  authorization_code: exchangeCode,
  refresh_token: refreshTokens,
  'urn:ietf:params:oauth:grant-type:device_code': exchangeDeviceCode,
}
const machineGrant = 'client_credentials'

export const grantTypes = [...Object.keys(exchanges), machineGrant]

const isOfPeople = (type: string): type is keyof typeof exchanges => Object.hasOwn(exchanges, type)

const reasons: Partial<Record<OAuthErrorCode, RefusalReason>> = {
  invalid_request: 'invalid_request',
  unsupported_grant_type: 'invalid_request',
  unauthorized_client: 'invalid_request',
  invalid_grant: 'invalid_grant',
  expired_token: 'invalid_grant',
  access_denied: 'access_denied',
  invalid_scope: 'invalid_scope',
  invalid_target: 'invalid_target',
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
  if (type === machineGrant) return machineTokens(request)
  if (!isOfPeople(type))
    throw new OAuthError('unsupported_grant_type', `The grant_type must be ${grantTypes.join(' or ')}.`)
  if (request.app.machine) throw new OAuthError('unauthorized_client', `A machine's grant_type is ${machineGrant}.`)
  const { issued, refreshToken, target } = await exchanges[type](request)
  const { accessToken, expiresIn, idToken } = await issueTokens(issued, target)
  await recordGrantUse(issued.id)
  const counter = type === 'refresh_token' ? 'latchkey.app_refreshes' : 'latchkey.app_sign_ins'
  // Strangers invent URLs without end, and each would be a series of its own.
  recorder()?.count(counter, { app: request.app.document ? 'document' : request.app.id })
  return {
    access_token: accessToken,
    token_type: 'Bearer' as const,
    expires_in: expiresIn,
    ...(idToken !== null && { id_token: idToken }),
    scope: joinSpaced([...ownScopes(issued.scopes), ...(target?.scopes ?? [])]),
    ...(refreshToken !== null && { refresh_token: refreshToken }),
  }
}

type TokenRequest = Parsed<typeof tokenInput> & { app: AppWithSecrets }

/** A machine's own token (RFC 6749 section 4.4): its secret is all it takes, so there is no refresh token. */
async function machineTokens({ body, app }: TokenRequest) {
  if (!app.machine)
    throw new OAuthError('unauthorized_client', `Only an app that is registered with --machine has ${machineGrant}.`)
  // `sub` is the id, which an operator chose: with that of an account, every API would take the machine for its owner.
  if (await isAccount(app.id))
    throw new OAuthError('unauthorized_client', "This machine's id is that of an account. Register it with another id.")
  const resource = soleResource(body.resource)
  if (resource === undefined) throw new OAuthError('invalid_target', 'resource is missing: the identifier of an API.')
  const [api] = (await findUsableApis([resource], app)) ?? []
  if (!api) throw new OAuthError('invalid_target', 'The resource is the identifier of no API that this app may use.')
  const scopes = [...new Set(splitSpaced(body.scope ?? ''))]
  if (!scopes.every((scope) => Object.hasOwn(api.scopes, scope)))
    throw new OAuthError('invalid_scope', `The scopes of this API are: ${Object.keys(api.scopes).join(' ') || 'none'}.`)
  const target = targetAt(api, scopes)
  recorder()?.count('latchkey.app_sign_ins', { app: app.id })
  return {
    access_token: await issueMachineToken(app, target),
    token_type: 'Bearer' as const,
    expires_in: target.lifetimeSeconds,
    scope: joinSpaced(target.scopes),
  }
}

const isAccount = async (id: string) => (await readRows`SELECT u."id" FROM "User" u WHERE u."id" = ${id}`).length > 0

interface Exchanged {
  issued: IssuedCode
  refreshToken: string | null
  /** The API that the access token is for; null: userinfo */
  target: Target | null
}

/** Exchanges a code (RFC 6749 section 4.1.3). Consumes the code before it checks it, so that a thief has one attempt. */
async function exchangeCode({ body, app, context }: TokenRequest): Promise<Exchanged> {
  const { code, redirect_uri, code_verifier } = body
  if (code === undefined) throw new OAuthError('invalid_request', 'code is missing.')
  const issued = await findIssuedCode(await consumeCode(code, app, context), { isWinner: true })
  if (!issued || !isInTime(issued)) throw invalidCode()
  if (issued.redirectUri !== redirect_uri)
    throw new OAuthError('invalid_grant', 'The redirect_uri is not the one of the authorization request.')
  if (!isVerified(issued, code_verifier))
    throw new OAuthError('invalid_grant', 'The code_verifier is not that of the code_challenge.')
  return firstTokens(issued, body.resource)
}

/** Exchanges a device's code, once somebody has allowed it (RFC 8628 section 3.4). */
async function exchangeDeviceCode({ body, app }: TokenRequest): Promise<Exchanged> {
  if (!app.device)
    throw new OAuthError('unauthorized_client', 'Only an app that is registered with --device has this grant.')
  if (body.device_code === undefined) throw new OAuthError('invalid_request', 'device_code is missing.')
  const issued = await findIssuedCode(await pollDevice(body.device_code, app), { isWinner: true })
  if (!issued || !isInTime(issued)) throw invalidCode()
  return firstTokens(issued, body.resource)
}

async function firstTokens(issued: IssuedCode, resource: string | undefined): Promise<Exchanged> {
  const target = await targetOf(issued, resource)
  if (!includesOfflineAccess(issued.scopes)) return { issued, refreshToken: null, target }
  // Refreshed tokens are for the same API, unless a request names another of the granted ones.
  const refreshToken = await startFamily(target ? { ...issued, scopes: withFirst(issued.scopes, target) } : issued)
  // The code has ended meanwhile.
  if (refreshToken === null) throw invalidCode()
  return { issued, refreshToken, target }
}

const isInTime = (issued: IssuedCode) => issued.validUntil > Date.now()

/**
 * Compares verifier and challenge (RFC 7636 section 4.6). Rejects a verifier without a challenge: somebody has removed the
 * challenge from the request (RFC 9700 section 2.1.1).
 */
function isVerified({ challenge }: IssuedCode, verifier: string | undefined): boolean {
  if (challenge === null) return verifier === undefined
  return (
    verifier !== undefined && /^[\w.~-]{43,128}$/.test(verifier) && hash('sha256', verifier, 'base64url') === challenge
  )
}

/** Refreshes tokens (RFC 6749 section 6). Like a code, consumes the token before it checks anything but the scope. */
async function refreshTokens({ body, app, context }: TokenRequest): Promise<Exchanged> {
  const { refresh_token: token, scope, resource } = body
  if (token === undefined) throw new OAuthError('invalid_request', 'refresh_token is missing.')
  if (scope !== undefined || resource !== undefined) await requireGranted(body, token, app)
  const { id, next } = await rotateToken(token, app, context)
  const issued = await findIssuedCode(id)
  if (!issued) {
    // Ends the family for good, even if the app's rules admit the person again later.
    await endIssuedCode(id)
    throw invalidRefreshToken()
  }
  const wanted = { ...issued, scopes: narrowed(issued, scope) }
  return { issued: wanted, refreshToken: next, target: await targetOf(wanted, resource) }
}

/**
 * Checks scope and resource before the token is consumed, so that a mistake in them does not cost the app its refresh token.
 * Others than the token's app get `invalid_grant` later.
 */
async function requireGranted(
  { scope, resource }: TokenRequest['body'],
  token: string,
  app: AppWithSecrets,
): Promise<void> {
  const id = familyOf(token)
  const issued = id !== null && (await isUnused(token, app)) ? await findIssuedCode(id) : null
  if (!issued) return
  await targetOf({ ...issued, scopes: narrowed(issued, scope) }, resource)
}

/**
 * Narrows the scopes to those that the app wants. Ignores unknown ones, like the authorization endpoint; rejects those without a
 * grant that are known, or that could be another API's.
 */
function narrowed({ scopes }: IssuedCode, wanted: string | undefined): string[] {
  if (wanted === undefined) return scopes
  const words = splitSpaced(wanted)
  const isGranted = (word: string) => scopes.includes(word) || scopes.some((scope) => scope.endsWith(`#${word}`))
  const couldBeGranted = identifiersIn(scopes).length > 0 ? words : knownScopes.filter((scope) => words.includes(scope))
  if (!couldBeGranted.every(isGranted)) throw new OAuthError('invalid_scope', 'The scope has more than was granted.')
  return scopes.filter((scope) => scope === 'openid' || words.includes(scope) || isWantedAtApi(scope, words))
}

/**
 * Revokes a token (RFC 7009); a refresh token with its family and all access tokens. Ignores unknown texts, which work nowhere.
 * Ignores other apps' tokens, too: section 2.1 requires an error, but that would tell a stranger who found one that it works.
 */
export async function revokeToken({ body, app }: Parsed<typeof revocationInput> & { app: AppWithSecrets }) {
  const { token } = body
  if (await endFamily(token, app)) return
  const claims = await readUserinfoToken(token)
  if (claims?.client_id !== app.id) return
  const { jti, exp, gid } = claims
  // Without refresh tokens, this token is the only one of its code.
  if ((await endWithoutFamily(gid)) || !(await findIssuedCode(gid))) return
  // Limits revocations, each of which writes a row: each refresh gives another token to revoke.
  const counted = await consumeAttempt('revocations', gid)
  await refundOnError(counted, () => consumeToken({ jti, exp }))
}
