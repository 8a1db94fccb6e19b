import { hash, hkdfSync, randomBytes } from 'node:crypto'
import {
  createRemoteJWKSet,
  decodeJwt,
  decodeProtectedHeader,
  type JWTHeaderParameters,
  type JWTPayload,
  type JWTVerifyOptions,
  jwtVerify,
  SignJWT,
} from 'jose'
import type { Client } from '../client'
import { executeSql } from '../storage/sql'
import { withoutUndefined } from '../without-undefined'

/** As tokens say the time: in seconds. */
export const now = () => Math.floor(Date.now() / 1000)

/** Changes to a token; undefined removes a claim or header. */
export type Change = {
  header?: Record<string, unknown>
  claims?: Record<string, unknown>
  /** The secret to sign with instead of the service's. */
  secret?: string
  /** Sign with the key of this type of token instead of its own. */
  keyOf?: string
}

/** Signs a token again with the service's key for its type, after changes. */
export function resign(token: string, secret: string, change: Change = {}): Promise<string> {
  const claims = withoutUndefined({ ...decodeJwt(token), ...change.claims })
  const header = withoutUndefined({ ...decodeProtectedHeader(token), ...change.header })
  return new SignJWT(claims as JWTPayload)
    .setProtectedHeader(header as JWTHeaderParameters)
    .sign(keyFor(change.keyOf ?? typeOf(token), change.secret ?? secret))
}

/**
 * An invitation as docs/tokens.md describes tokens, without the product's code, and its row, unless there is no database.
 *
 * @param seconds from now on
 */
export function makeInvitation(
  { secret, databaseUrl }: { secret: string; databaseUrl?: string },
  seconds = 3600,
  groups: string[] = [],
): Promise<string> {
  const [iat, jti] = [now(), randomBytes(16).toString('base64url')]
  const id = hash('sha256', `latchkey/invitation ${jti}`).slice(0, 32)
  if (databaseUrl !== undefined)
    executeSql(
      databaseUrl,
      `INSERT INTO "Invitation" ("id", "groups", "createdAt", "expiresAt")
        VALUES ('${id}', '${groups.join(' ')}', ${iat * 1000}, ${(iat + seconds) * 1000})`,
    )
  return new SignJWT({ jti, iat, exp: iat + seconds, ...(groups.length > 0 && { groups }) })
    .setProtectedHeader({ alg: 'HS256', typ: 'invitation+jwt' })
    .sign(keyFor('invitation', secret))
}

const typeOf = (token: string) => (decodeProtectedHeader(token).typ ?? '').replace(/\+jwt$/, '')

/** As docs/tokens.md describes it, without the product's code. */
function keyFor(type: string, secret: string): Uint8Array {
  if (type === 'session') return new TextEncoder().encode(secret)
  return new Uint8Array(hkdfSync('sha256', secret, '', `latchkey/${type}`, 32))
}

/** Verifies a token as an app would: with jose, and nothing but the server's public keys. */
export async function verifyWithPublicKeys(
  server: { url: string; origin: string },
  token: string,
  rules: Required<Pick<JWTVerifyOptions, 'audience' | 'algorithms' | 'typ'>>,
): Promise<JWTPayload> {
  const keys = createRemoteJWKSet(new URL('/.well-known/jwks.json', server.url))
  return (await jwtVerify(token, keys, { issuer: server.origin, ...rules })).payload
}

/** Makes a client's step-up token this many seconds old, under the same id. */
export async function ageStepUp(client: Client, { secret }: { secret: string }, seconds: number): Promise<void> {
  const iat = now() - seconds
  client.stepUp = await resign(client.stepUp ?? '', secret, { claims: { iat, exp: iat + 600 } })
}

/** Makes the session of a client one whose credential was shown this many seconds ago. @returns its `auth_time` */
export async function ageSession(client: Client, { secret }: { secret: string }, seconds: number): Promise<number> {
  const auth_time = now() - seconds
  client.jar.set(
    'latchkey-session',
    await resign(client.jar.get('latchkey-session') ?? '', secret, { claims: { auth_time } }),
  )
  return auth_time
}

/** Removes `signed_up` from the client's session: the session that created an account shows no notices at first. */
export async function asLaterSession(client: Client, { secret }: { secret: string }): Promise<string> {
  const token = await resign(client.jar.get('latchkey-session') ?? '', secret, { claims: { signed_up: undefined } })
  client.jar.set('latchkey-session', token)
  return token
}

/** The same text with another character there. The last one of base64url may be other bits of the same bytes. */
export const withOtherCharacter = (text: string, at: number): string =>
  `${text.slice(0, at)}${text[at] === 'A' ? 'B' : 'A'}${text.slice(at + 1)}`

/** The same token with another signature. */
export const withOtherSignature = (token: string): string => withOtherCharacter(token, token.lastIndexOf('.') + 1)

/** The same claims as an unsecured JWT (RFC 7519 section 6). */
export function unsecured(token: string, signature = ''): string {
  const header = Buffer.from(JSON.stringify({ ...decodeProtectedHeader(token), alg: 'none' })).toString('base64url')
  return `${header}.${token.split('.')[1]}.${signature}`
}

/** The token in a challenge. */
export function tokenOf({ challenge }: { challenge: string }): string {
  return Buffer.from(challenge, 'base64url').toString()
}

/** A token as a challenge. */
export function asChallenge(token: string): string {
  return Buffer.from(token).toString('base64url')
}
