import { decodeJwt, type JWTPayload } from 'jose'
import { limits } from '@/lib/api/limits'
import { repeatedName, withoutEmpty } from '@/lib/api/urls'
import { type AppWithSecrets, type PkceRule, scopesFor, splitSpaced } from '../apps/app'
import { isCustomScheme, isRegistered } from '../apps/redirect-uris'
import type { RefusalReason } from '../apps/refusals'
import { findRequestedApis, type RequestedApi, wordsOf } from '../apps/resources'
import { acrOfPasskeys, acrValues } from '../tokens/claims'

export interface UnknownRedirectUri {
  kind: 'unknown_redirect_uri'
  app: AppWithSecrets
  /** Null if it is missing or repeated */
  redirectUri: string | null
}

type Redirect =
  | { kind: 'redirect'; app: AppWithSecrets; redirectUri: string }
  | { kind: 'unknown_app' }
  | UnknownRedirectUri

/** Finds where the authorization response goes: only to a URI that is registered (RFC 9700 section 4.11). */
export function redirectOf(query: URLSearchParams, app: AppWithSecrets | null): Redirect {
  const redirectUri = soleValue(query, 'redirect_uri')
  if (!app) return { kind: 'unknown_app' }
  if (redirectUri === null || !isRegistered(app, redirectUri)) return { kind: 'unknown_redirect_uri', app, redirectUri }
  return { kind: 'redirect', app, redirectUri }
}

/** Null if the parameter is missing, repeated or empty: an empty value counts as omitted (RFC 6749 section 3.1). */
export function soleValue(query: URLSearchParams, name: string): string | null {
  const [value = null, ...others] = query.getAll(name)
  return others.length === 0 && value !== '' ? value : null
}

/**
 * Reads what a request object says about the response, which comes before what the query says (OpenID Connect Core section
 * 6.1). No signature needs to be verified: we do not support the object, and send an error to a URI that is registered.
 */
export function readRequestObject(query: URLSearchParams): { state: string | null; responseMode: string | null } {
  const object = soleValue(query, 'request')
  const { state, response_mode } = object === null ? {} : payloadOf(object)
  const textOf = (value: unknown) => (typeof value === 'string' && value !== '' ? value : null)
  return { state: textOf(state), responseMode: textOf(response_mode) }
}

function payloadOf(token: string): JWTPayload {
  try {
    return decodeJwt(token)
  } catch {
    return {}
  }
}

/** Ways of sending the response (OAuth 2.0 Multiple Response Type Encoding Practices section 2.1, Form Post Response Mode). */
export const responseModes = ['query', 'form_post'] as const
export type ResponseMode = (typeof responseModes)[number]

/** The only method (RFC 7636 section 4.2): `plain` does not protect against anyone who reads the request. */
export const challengeMethod = 'S256'

export const knownPrompts = ['none', 'login', 'consent', 'select_account', 'create'] as const
type Prompt = (typeof knownPrompts)[number]

/** The parameters of an authorization request (OpenID Connect Core section 3.1.2.1). */
export interface RequestParameters {
  /** With the words of the APIs */
  scopes: string[]
  apis: RequestedApi[]
  prompts: ReadonlySet<Prompt>
  maxAge: number | null
  challenge: string | null
  nonce: string | null
  loginHint: string | null
  idTokenHint: string | null
  uiLocales: string[]
  /** The only account that the response may be for; null for any */
  subject: string | null
  /** Prefers a passkey to the other `acr` values that Latchkey knows, and takes any */
  prefersPasskey: boolean
  /** The only values of `acr` that the response may have; null for any */
  requiredAcr: readonly string[] | null
}

/** Ignores unknown parameters, scopes and prompts. @throws AuthorizationError */
export async function parseParameters(
  all: URLSearchParams,
  app: AppWithSecrets,
  redirectUri: string,
): Promise<RequestParameters> {
  requireWellFormed(all)
  const query = withoutEmpty(all)
  requireSupported(query)
  const given = splitSpaced(query.get('scope') ?? '')
  if (app.document !== null && !query.has('resource'))
    throw new AuthorizationError(
      'invalid_target',
      'A client that introduces itself must send resource, the identifier of an API.',
    )
  // Who asks for the token of an API alone, as OAuth 2.0 knows it, gets no ID token.
  if (!given.includes('openid') && !query.has('resource'))
    throw new AuthorizationError('invalid_scope', 'The scope must contain openid.')
  const claims = parseClaims(query.get('claims'))
  const preferred = [...claims.acr.values, ...splitSpaced(query.get('acr_values') ?? '')]
  const challenge = parseChallenge(query, isCustomScheme(redirectUri) ? 'required' : app.pkce)
  const apis = await requireApis(query, app, given)
  const known = scopesFor(app).filter((scope) => given.includes(scope) || claims.scopes.includes(scope))
  return {
    scopes: [...known, ...wordsOf(apis)],
    apis,
    prompts: parsePrompts(query),
    maxAge: parseMaxAge(query.get('max_age')),
    challenge,
    nonce: parseNonce(query.get('nonce')),
    loginHint: query.get('login_hint'),
    idTokenHint: query.get('id_token_hint'),
    uiLocales: splitSpaced(query.get('ui_locales') ?? ''),
    subject: claims.subject,
    prefersPasskey: preferred.find((value) => acrValues.includes(value)) === acrOfPasskeys,
    requiredAcr: claims.acr.essential && claims.acr.values.length > 0 ? claims.acr.values : null,
  }
}

/** The APIs that the app asks for (RFC 8707 section 2), each with those of the scopes that it has. @throws AuthorizationError */
async function requireApis(query: URLSearchParams, app: AppWithSecrets, given: string[]): Promise<RequestedApi[]> {
  if (!query.has('resource')) return []
  const apis = await findRequestedApis(query.getAll('resource'), app, given)
  if (!apis)
    throw new AuthorizationError('invalid_target', 'The resource is the identifier of no API that this app may use.')
  return apis
}

/** Rejects repeated parameters (RFC 6749 section 3.1), and NUL, which PostgreSQL cannot store. */
function requireWellFormed(query: URLSearchParams) {
  if (repeatedName(query) !== undefined)
    throw new AuthorizationError('invalid_request', 'A parameter is repeated.', 'repeated_parameter')
  for (const value of query.values())
    if (value.includes('\0')) throw new AuthorizationError('invalid_request', 'A parameter contains NUL.')
}

function requireSupported(query: URLSearchParams) {
  for (const name of ['request', 'request_uri', 'registration'] as const)
    if (query.has(name))
      throw new AuthorizationError(`${name}_not_supported`, `The parameter ${name} is not supported.`)
  const type = query.get('response_type')
  if (type === null) throw new AuthorizationError('invalid_request', 'response_type is missing.')
  if (type !== 'code') throw new AuthorizationError('unsupported_response_type', 'The response_type must be code.')
  const mode = query.get('response_mode')
  if (mode !== null && !responseModes.some((known) => known === mode))
    throw new AuthorizationError('invalid_request', `The response_mode must be ${responseModes.join(' or ')}.`)
}

function parsePrompts(query: URLSearchParams): ReadonlySet<Prompt> {
  const given = new Set(splitSpaced(query.get('prompt') ?? ''))
  if (given.has('none') && given.size > 1)
    throw new AuthorizationError('invalid_request', 'prompt=none excludes every other prompt.')
  return new Set(knownPrompts.filter((prompt) => given.has(prompt)))
}

function parseMaxAge(text: string | null): number | null {
  if (text === null) return null
  if (!/^\d{1,9}$/.test(text)) throw new AuthorizationError('invalid_request', 'max_age must be a number of seconds.')
  return Number(text)
}

function parseNonce(nonce: string | null): string | null {
  if (nonce !== null && nonce.length > limits.nonce)
    throw new AuthorizationError('invalid_request', `The nonce has more than ${limits.nonce} characters.`)
  return nonce
}

/**
 * Requires PKCE by the app's rule (RFC 7636 section 4.3). RFC 9700 section 2.1.1 permits a nonce in its place, though we cannot
 * see whether the app checks it.
 */
function parseChallenge(query: URLSearchParams, rule: PkceRule): string | null {
  const challenge = query.get('code_challenge')
  // A nonce binds an ID token, which comes with `openid` alone.
  const hasNonce = query.has('nonce') && splitSpaced(query.get('scope') ?? '').includes('openid')
  if (challenge === null && (rule === 'off' || (rule === 'or_nonce' && hasNonce))) return null
  if (challenge === null)
    throw new AuthorizationError(
      'invalid_request',
      rule === 'or_nonce'
        ? 'code_challenge and nonce are missing. Turn on PKCE in the app, or register it with --no-pkce.'
        : 'code_challenge is missing. This app needs PKCE: turn it on there.',
      'code_challenge_missing',
    )
  if (query.get('code_challenge_method') !== challengeMethod)
    throw new AuthorizationError('invalid_request', `The code_challenge_method must be ${challengeMethod}.`)
  if (!/^[\w-]{43}$/.test(challenge))
    throw new AuthorizationError('invalid_request', 'The code_challenge must be the base64url of a SHA-256.')
  return challenge
}

/** The parameter `claims` (OpenID Connect Core section 5.5). */
interface RequestedClaims {
  /** The scopes that contain the claims: the consent page names them, so that the app gets no claim without consent */
  scopes: string[]
  /** The only account that the response may be for (section 5.5.1) */
  subject: string | null
  /** Values of `acr`, preferred first; if they are essential, the response may have no other (section 5.5.1.1) */
  acr: { values: string[]; essential: boolean }
}

const scopesOfClaims = new Map([
  ...['name', 'preferred_username', 'updated_at'].map((claim) => [claim, 'profile'] as const),
  ...['email', 'email_verified'].map((claim) => [claim, 'email'] as const),
  ['groups', 'groups'] as const,
])

type Json = Record<string, unknown>

/** Ignores claims that Latchkey does not have. @throws AuthorizationError */
function parseClaims(text: string | null): RequestedClaims {
  const all = text === null ? {} : parseObject(text)
  const [inUserinfo, inIdToken] = [membersOf(all, 'userinfo'), membersOf(all, 'id_token')]
  const names = [...Object.keys(inUserinfo), ...Object.keys(inIdToken)]
  const { value: subject } = membersOf(inIdToken, 'sub')
  const { value: acr, values, essential } = membersOf(inIdToken, 'acr')
  return {
    scopes: names.flatMap((name) => scopesOfClaims.get(name) ?? []),
    subject: typeof subject === 'string' ? subject : null,
    acr: {
      values: [acr, ...(Array.isArray(values) ? values : [])].filter((one) => typeof one === 'string'),
      essential: essential === true,
    },
  }
}

function parseObject(text: string): Json {
  try {
    const value: unknown = JSON.parse(text)
    if (isObject(value)) return value
  } catch {
    // The error below says it.
  }
  throw new AuthorizationError('invalid_request', 'The claims must be a JSON object.')
}

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

/** The members of a claim's object; none for null, which requests the claim without rules. */
function membersOf(parent: Json, name: string): Json {
  const value = Object.hasOwn(parent, name) ? parent[name] : null
  return isObject(value) ? value : {}
}

/**
 * The codes of RFC 6749 section 4.1.2.1, RFC 8707 section 2, OpenID Connect Core section 3.1.2.6, and Unmet Authentication
 * Requirements 1.0.
 */
type AuthorizationErrorCode =
  | 'invalid_request'
  | 'unsupported_response_type'
  | 'invalid_scope'
  | 'invalid_target'
  | 'access_denied'
  | 'temporarily_unavailable'
  | 'request_not_supported'
  | 'request_uri_not_supported'
  | 'registration_not_supported'
  | 'login_required'
  | 'consent_required'
  | 'unmet_authentication_requirements'

const reasons: Record<AuthorizationErrorCode, RefusalReason> = {
  invalid_request: 'invalid_request',
  unsupported_response_type: 'unsupported_response_type',
  invalid_scope: 'invalid_scope',
  invalid_target: 'invalid_target',
  access_denied: 'access_denied',
  temporarily_unavailable: 'access_denied',
  request_not_supported: 'invalid_request',
  request_uri_not_supported: 'invalid_request',
  registration_not_supported: 'invalid_request',
  login_required: 'login_required',
  // The log treats both alike: with `prompt=none`, the app would have needed a page.
  consent_required: 'login_required',
  unmet_authentication_requirements: 'passkey',
}

export class AuthorizationError extends Error {
  override readonly name = 'AuthorizationError'
  readonly code: AuthorizationErrorCode
  readonly reason: RefusalReason | null

  /**
   * @param description for the app's developer: English, and ASCII without `"` and `\`
   * @param reason for the log; null if the log has it already
   */
  constructor(code: AuthorizationErrorCode, description: string, reason: RefusalReason | null = reasons[code]) {
    super(description)
    this.code = code
    this.reason = reason
  }
}
