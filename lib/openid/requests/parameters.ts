import { limits } from '@/lib/api/limits'
import { repeatedName, withoutEmpty } from '@/lib/api/parameters'
import type { AppWithSecrets, PkceRule } from '../apps/app'
import { isCustomScheme } from '../apps/redirect-uris'
import { splitSpaced } from '../apps/space-separated'
import { acrOfPasskeys, acrValues } from '../grants/passkey-acr'
import { knownScopes } from '../grants/scopes'
import { AuthorizationError } from './authorization-error'
import { parseClaims } from './claims-parameter'

/** OAuth 2.0 Multiple Response Type Encoding Practices section 2.1, OAuth 2.0 Form Post Response Mode. */
export const responseModes = ['query', 'form_post'] as const
export type ResponseMode = (typeof responseModes)[number]

/** RFC 7636 section 4.2. `plain` does not protect against anyone who reads the request. */
export const challengeMethod = 'S256'

export const knownPrompts = ['none', 'login', 'consent', 'select_account', 'create'] as const
type Prompt = (typeof knownPrompts)[number]

/** OpenID Connect Core section 3.1.2.1. */
export interface AuthorizationRequest {
  scopes: string[]
  prompts: ReadonlySet<Prompt>
  maxAge: number | null
  challenge: string | null
  nonce: string | null
  loginHint: string | null
  idTokenHint: string | null
  uiLocales: string[]
  /** The only account that may be answered with */
  subject: string | null
  /** Of those that Latchkey knows, a passkey is preferred: voluntary */
  prefersPasskey: boolean
  /** The only `acr` that may be answered with; null for any */
  requiredAcr: readonly string[] | null
}

/**
 * Ignores what is unknown.
 *
 * @throws AuthorizationError
 */
export function parseRequest(all: URLSearchParams, app: AppWithSecrets, redirectUri: string): AuthorizationRequest {
  requireWellFormed(all)
  const query = withoutEmpty(all)
  requireSupported(query)
  const given = splitSpaced(query.get('scope') ?? '')
  if (!given.includes('openid')) throw new AuthorizationError('invalid_scope', 'The scope must contain openid.')
  const claims = parseClaims(query.get('claims'))
  const preferred = [...claims.acr.values, ...splitSpaced(query.get('acr_values') ?? '')]
  return {
    scopes: knownScopes.filter((scope) => given.includes(scope) || claims.scopes.includes(scope)),
    prompts: parsePrompts(query),
    maxAge: parseMaxAge(query.get('max_age')),
    challenge: parseChallenge(query, isCustomScheme(redirectUri) ? 'required' : app.pkce),
    nonce: parseNonce(query.get('nonce')),
    loginHint: query.get('login_hint'),
    idTokenHint: query.get('id_token_hint'),
    uiLocales: splitSpaced(query.get('ui_locales') ?? ''),
    subject: claims.subject,
    prefersPasskey: preferred.find((value) => acrValues.includes(value)) === acrOfPasskeys,
    requiredAcr: claims.acr.essential && claims.acr.values.length > 0 ? claims.acr.values : null,
  }
}

/** RFC 6749 section 3.1. The databases keep no NUL. */
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

/** RFC 7636 section 4.3. Whether an app checks its nonce cannot be seen here; RFC 9700 section 2.1.1 permits it in place of PKCE. */
function parseChallenge(query: URLSearchParams, rule: PkceRule): string | null {
  const challenge = query.get('code_challenge')
  if (challenge === null && (rule === 'off' || (rule === 'or_nonce' && query.has('nonce')))) return null
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
