import { type JWTPayload, jwtVerify } from 'jose'
import { discover, isOutage, keysAt, type User, userOf } from './provider.js'
import { SetupError } from './settings.js'

export type { User } from './provider.js'

export interface AccessTokenRules {
  /** Whom the token must be for: this API, as the provider knows it. A token for another API is somebody else's. */
  audience: string
  /** What the token must allow: scopes of this API, separated by spaces. Without it, a token that allows nothing passes, too. */
  scope?: string
  /** The provider's address, unless `LATCHKEY_ISSUER` has it */
  issuer?: string
}

/** Why a request is not answered. `status` and `headers` are those that Express's and Hono's own error handlers look for. */
export class AccessTokenError extends Error {
  override name = 'AccessTokenError'
  /** 401 for a token that is missing or not valid, 403 for one that lacks a scope, 503 while the provider's keys cannot be read */
  readonly status: 401 | 403 | 503
  readonly headers: Record<string, string>
  constructor(status: 401 | 403 | 503, message: string, challenge = 'Bearer') {
    super(message)
    this.status = status
    this.headers = status === 503 ? { 'Retry-After': '5' } : { 'WWW-Authenticate': challenge }
  }

  getResponse(): Response {
    const error = codes[this.status]
    return Response.json({ error }, { status: this.status, headers: { ...this.headers, 'Cache-Control': 'no-store' } })
  }
}

const codes = { 401: 'not_signed_in', 403: 'insufficient_scope', 503: 'unavailable' }

/**
 * Who sends a request with an access token (RFC 9068 section 4) in its Authorization header.
 *
 * @throws AccessTokenError
 */
export async function verifyAccessToken(
  request: { headers: Headers | { authorization?: string | undefined } },
  { audience, scope = '', issuer: option }: AccessTokenRules,
): Promise<User> {
  const address = issuerOf(option)
  if (!audience)
    throw new SetupError(
      "verifyAccessToken has no audience. Name this API, such as { audience: 'https://api.example.com' }.",
    )
  const [, token] = /^Bearer +([\w.~+/-]+=*)$/i.exec(authorizationOf(request.headers)) ?? []
  if (!token) throw new AccessTokenError(401, 'The request has no access token.')
  const { issuer, keys } = await keysOf(new URL(address))
  // The type tells it from an ID token, which may have the same audience (RFC 9068 section 4).
  const rules = { issuer, audience, typ: 'at+jwt', requiredClaims: ['sub', 'iat', 'exp'] }
  const payload = await jwtVerify(token, keys, rules).then(
    (verified): JWTPayload => verified.payload,
    (error) => {
      if (isOutage(error)) throw new AccessTokenError(503, 'The keys of the provider cannot be read.')
      throw new AccessTokenError(401, 'The access token is not valid.', 'Bearer error="invalid_token"')
    },
  )
  const allowed = typeof payload.scope === 'string' ? payload.scope.split(' ') : []
  const wanted = scope.split(' ').filter((name) => name !== '')
  // RFC 6750 section 3.1.
  if (!wanted.every((name) => allowed.includes(name)))
    throw new AccessTokenError(
      403,
      `The access token lacks a scope of: ${scope}.`,
      `Bearer error="insufficient_scope", scope="${wanted.join(' ')}"`,
    )
  return userOf(payload)
}

export interface ProtectedResource {
  /** The API's identifier at the provider, such as `https://api.example.com` */
  resource: string
  /** The provider's address, unless `LATCHKEY_ISSUER` has it */
  issuer?: string
  /** The scopes that a client may ask for */
  scopes?: readonly string[]
}

/**
 * What an API says of itself, so that a client that knows its address alone finds where to get a token (RFC 9728), as clients of
 * MCP do.
 */
export function protectedResource({ resource, issuer: option, scopes = [] }: ProtectedResource) {
  const { origin, pathname, search } = new URL(resource)
  // RFC 9728 section 3.1: before the path of the resource.
  const path = `/.well-known/oauth-protected-resource${pathname === '/' ? '' : pathname}`
  const challenge = `resource_metadata="${origin}${path}${search}"`
  const metadata = () => ({
    resource,
    authorization_servers: [issuerOf(option).replace(/\/$/, '')],
    ...(scopes.length > 0 && { scopes_supported: scopes }),
    bearer_methods_supported: ['header'],
  })
  return {
    /** Where the metadata belongs */
    path,
    metadata,
    /** The metadata for a GET of its path, which pages of any origin may read; null for any other request */
    handle(request: Request): Response | null {
      if (request.method !== 'GET' || new URL(request.url).pathname !== path) return null
      return Response.json(metadata(), { headers: { 'Access-Control-Allow-Origin': '*' } })
    },
    /** `verifyAccessToken` for this API, whose 401 and 403 name the metadata. @throws AccessTokenError */
    async verify(request: Parameters<typeof verifyAccessToken>[0], scope?: string): Promise<User> {
      const rules = { audience: resource, ...(scope && { scope }), ...(option && { issuer: option }) }
      return verifyAccessToken(request, rules).catch((error) => {
        const { 'WWW-Authenticate': given } = error instanceof AccessTokenError ? error.headers : {}
        if (given === undefined) throw error
        throw new AccessTokenError(
          error.status,
          error.message,
          `${given}${given === 'Bearer' ? ' ' : ', '}${challenge}`,
        )
      })
    },
  }
}

function issuerOf(option: string | undefined): string {
  const address = option || (typeof process === 'undefined' ? '' : process.env.LATCHKEY_ISSUER) || ''
  if (URL.canParse(address)) return address
  throw new SetupError(
    "LATCHKEY_ISSUER is not set to an address. Set it to Latchkey's, such as LATCHKEY_ISSUER=http://localhost:3001",
  )
}

/** Node's requests, which Express has, keep their headers in an object. */
const authorizationOf = (headers: Headers | { authorization?: string | undefined }) =>
  ('get' in headers && typeof headers.get === 'function'
    ? headers.get('authorization')
    : (headers as { authorization?: string }).authorization) ?? ''

async function keysOf(address: URL) {
  const configuration = await discover({ issuer: address, clientId: 'api', clientSecret: 'none' }).catch((error) => {
    throw new AccessTokenError(503, error.message)
  })
  const { issuer, jwks_uri = '' } = configuration.serverMetadata()
  return { issuer, keys: keysAt(jwks_uri) }
}
