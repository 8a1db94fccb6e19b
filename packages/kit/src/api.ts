import { createRemoteJWKSet, type JWTPayload, jwtVerify } from 'jose'
import { discover, isOutage, type User, userOf } from './provider.js'
import { SetupError } from './settings.js'

export type { User } from './provider.js'

export interface AccessTokenRules {
  /** Whom the token must be for: this API, as the provider knows it. A token for another API is somebody else's. */
  audience: string
  /** The provider's address, unless `LATCHKEY_ISSUER` has it */
  issuer?: string
}

/** Why a request is not answered. `status` and `headers` are those that Express's and Hono's own error handlers look for. */
export class AccessTokenError extends Error {
  override name = 'AccessTokenError'
  /** 401 for a token that is missing or not valid, 503 while the provider's keys cannot be read */
  readonly status: 401 | 503
  readonly headers: Record<string, string>
  constructor(status: 401 | 503, message: string, challenge = 'Bearer') {
    super(message)
    this.status = status
    this.headers = status === 401 ? { 'WWW-Authenticate': challenge } : { 'Retry-After': '5' }
  }

  getResponse(): Response {
    const error = this.status === 401 ? 'not_signed_in' : 'unavailable'
    return Response.json({ error }, { status: this.status, headers: { ...this.headers, 'Cache-Control': 'no-store' } })
  }
}

const keySets = new Map<string, ReturnType<typeof createRemoteJWKSet>>()

/**
 * Who sends a request with an access token (RFC 9068 section 4) in its Authorization header.
 *
 * @throws AccessTokenError
 */
export async function verifyAccessToken(
  request: { headers: Headers | { authorization?: string | undefined } },
  { audience, issuer: option }: AccessTokenRules,
): Promise<User> {
  const address = option || (typeof process === 'undefined' ? '' : process.env.LATCHKEY_ISSUER) || ''
  if (!URL.canParse(address))
    throw new SetupError(
      "LATCHKEY_ISSUER is not set to an address. Set it to Latchkey's, such as LATCHKEY_ISSUER=http://localhost:3001",
    )
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
  return userOf(payload)
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
  const keys = keySets.get(jwks_uri) ?? createRemoteJWKSet(new URL(jwks_uri), { cacheMaxAge: 300_000 })
  keySets.set(jwks_uri, keys)
  return { issuer, keys }
}
