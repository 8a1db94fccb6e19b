import { hash, randomBytes } from 'node:crypto'
import { decodeProtectedHeader, errors, type JWTPayload, type JWTVerifyOptions, jwtVerify, SignJWT } from 'jose'
import type { Database } from '@/lib/database/client'
import { type Fragment, flushed, readRows, sql, statement } from '@/lib/database/sql'
import { asyncSingleton, singleton } from '@/lib/process/singleton'
import { deriveKey, secretsInUse } from '@/lib/settings/keys'
import type { RequestContext } from '../request'
import { isoOfMilliseconds, nowInSeconds } from '../time'
import { type Claims, claimSchemas, type RegisteredClaims, type TokenType } from './claims'

const clockSkewSeconds = 5

/** Makes an id of 128 random bits in base64url. */
export const newTokenId = () => randomBytes(16).toString('base64url')

/** What the database stores of a secret: at least 128 random bits are too many to guess, so they need no slow digest. */
export const digestOf = (secret: string) => hash('sha256', secret, 'base64url')

/** Signs with HS256. `seconds` is the lifetime from `iat` on; `exp` is in seconds since 1970. */
export async function issueToken<T extends TokenType>(
  type: T,
  payload: Omit<Claims<T>, RegisteredClaims>,
  seconds: number,
  { jti = newTokenId(), iat = nowInSeconds() } = {},
): Promise<{ token: string; jti: string; exp: number }> {
  const exp = iat + seconds
  const [key] = await tokenKeys(type)
  const token = await new SignJWT({ ...payload, jti, iat, exp })
    // Names the type (RFC 8725 section 3.11), so that nobody accepts a token of one type as another.
    .setProtectedHeader({ alg: 'HS256', typ: `${type}+jwt` })
    .sign(key)
  return { token, jti, exp }
}

/**
 * Verifies signature, type and lifetime (RFC 8725 sections 3.1 and 3.11), but does not ask if somebody has consumed the token.
 */
export async function readToken<T extends TokenType>(type: T, token: string): Promise<Claims<T> | null> {
  const payload = await signedPayload(type, token, { typ: `${type}+jwt` }).catch(nullIfInvalid)
  // jose accepts a missing exp and a future iat: the schema requires the one, the comparison rejects the other.
  const { data } = claimSchemas[type].safeParse(payload)
  return data && data.iat <= nowInSeconds() + clockSkewSeconds ? (data as Claims<T>) : null
}

/** True for a token of our types without our signature, and for one that was signed under a secret before the previous one. */
export async function isForged(token: string): Promise<boolean> {
  const type = readType(token)
  if (type === null) return false
  try {
    return (await signedPayload(type, token)) === null
  } catch (error) {
    return error instanceof errors.JOSEAlgNotAllowed
  }
}

/** Verifies under the current secret, then the previous one; null if none has signed. @throws JOSEError if otherwise invalid */
async function signedPayload(type: TokenType, token: string, rules: JWTVerifyOptions = {}): Promise<JWTPayload | null> {
  for (const key of await tokenKeys(type)) {
    try {
      return (await jwtVerify(token, key, { ...rules, algorithms: ['HS256'] })).payload
    } catch (error) {
      // The previous secret may have signed it.
      if (!(error instanceof errors.JWSSignatureVerificationFailed)) throw error
    }
  }
  return null
}

function nullIfInvalid(error: unknown): null {
  if (error instanceof errors.JOSEError) return null
  throw error
}

function readType(token: string): TokenType | null {
  try {
    const type = decodeProtectedHeader(token).typ?.replace(/\+jwt$/, '') ?? ''
    return Object.hasOwn(claimSchemas, type) ? (type as TokenType) : null
  } catch {
    return null
  }
}

/** Imports the keys of a type once, because importing takes half as long as verifying. */
const tokenKeys = (type: string) => keysInUse(`token-keys/${type}`, (secret) => importKey(keyBytes(type, secret)))

/**
 * Derives a key for each type but sessions, which front ends verify under JWT_SECRET: one that forgets to check `typ` must not
 * accept tokens of another type.
 */
function keyBytes(type: string, secret: Uint8Array): Uint8Array<ArrayBuffer> {
  return type === 'session' ? new Uint8Array(secret) : deriveKey(secret, `latchkey/${type}`)
}

const importKey = (bytes: Uint8Array<ArrayBuffer>) =>
  crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign', 'verify'])

/** Derives keys once per process: JWT_SECRET's, which signs, then JWT_SECRET_PREVIOUS's, which only verifies. */
export const keysInUse = <Key>(name: string, derive: (secret: Uint8Array) => Promise<Key>) =>
  asyncSingleton(name, async (): Promise<[Key, ...Key[]]> => {
    const [current, ...previous] = secretsInUse()
    return [await derive(current), ...(await Promise.all(previous.map(derive)))]
  })

/** Verifies a token by the key of its `kid`; null if there is no such key, or the token breaks a rule. */
export async function verifyWithKey(
  token: string,
  keyOf: (kid: string | undefined) => CryptoKey | null | Promise<CryptoKey | null>,
  rules: JWTVerifyOptions,
): Promise<JWTPayload | null> {
  // An unverified token's `kid` may be of any type, unlike in jose's types.
  const requireKey = async ({ kid }: { kid?: unknown }) => {
    const key = await keyOf(typeof kid === 'string' ? kid : undefined)
    if (!key) throw new errors.JWKSNoMatchingKey()
    return key
  }
  try {
    return (await jwtVerify(token, requireKey, rules)).payload
  } catch (error) {
    if (error instanceof errors.JOSEError) return null
    throw error
  }
}

/** Fewer tokens are busy at one time; an entry takes about half a kilobyte. */
const maxTokens = 16_384

/** Caches verified signatures, but never that a token is unconsumed. Keys are digests, so that the cache holds no tokens. */
export function cachedVerification<C extends { exp: number }>(
  type: string,
  token: string,
  verify: () => Promise<C | null>,
): C | Promise<C | null> {
  const verified = singleton(`verified-tokens/${type}`, () => new Map<string, C>())
  const digest = digestOf(token)
  const known = verified.get(digest)
  if (known) {
    if (known.exp * 1000 > Date.now()) return known
    verified.delete(digest)
  }
  return verify().then((claims) => {
    if (!claims) return null
    // The oldest goes first: a token in use is back at once.
    if (verified.size >= maxTokens) verified.delete(verified.keys().next().value as string)
    verified.set(digest, Object.freeze(claims))
    return claims
  })
}

/** `expiresAt`: `exp` in ISO 8601, formatted once per token. */
export type SessionClaims = Claims<'session'> & { expiresAt: string }

/** Checks the token alone: somebody may have revoked the session. */
export const readSessionToken = (token: string): SessionClaims | Promise<SessionClaims | null> =>
  cachedVerification('session', token, async () => {
    const claims = await readToken('session', token)
    return claims && { ...claims, expiresAt: isoOfMilliseconds(claims.exp * 1000) }
  })

/** Null unless the browser has signed in to an account before, in any epoch. */
export const readAnyDevice = async ({ device }: Pick<RequestContext, 'device'>): Promise<Claims<'device'> | null> =>
  device === null ? null : readToken('device', device)

/** Null unless the browser has signed in to this account before. */
export async function readDevice(userId: string, context: RequestContext): Promise<Claims<'device'> | null> {
  const claims = await readAnyDevice(context)
  return claims?.sub === userId ? claims : null
}

/* Tokens that are good once: the database decides who was first. */

/** A token that somebody can use once. `exp` is in seconds since 1970. */
export interface Consumable {
  jti: string
  exp: number
}

/**
 * Consumes a token.
 *
 * @param write `unflushed.changes` if a flushed statement follows before anybody gets a response
 * @returns false if somebody consumed it before
 */
export async function consumeToken(token: Consumable, write = flushed.changes): Promise<boolean> {
  return (await write`${insertion(one(token))}`) === 1
}

/**
 * Consumes a token in a transaction, whose rest also runs if somebody consumed the token before.
 *
 * @param condition must hold, too, or nothing is consumed
 */
export const consumption = (db: Database, token: Consumable, condition = sql`TRUE`) =>
  consumptionOfAll(db, sql`${one(token)} WHERE ${condition}`)

/** @param tokens a SELECT of `id` and `expiresAt`, in milliseconds since 1970 */
export const consumptionOfAll = (db: Database, tokens: Fragment) => statement(db)`${insertion(tokens)}`

/** Consumes a token in a transaction, and fails the transaction if somebody consumed it before. */
export const soleConsumption = (db: Database, { jti, exp }: Consumable) =>
  db.consumedToken.create({ data: { id: jti, expiresAt: BigInt(exp * 1000 + graceMilliseconds) } })

/** Fails the transaction if somebody has consumed the token, and makes a concurrent consumption wait for its end. */
export const requireUnconsumed = (db: Database, jti: string) => [
  db.consumedToken.create({ data: { id: jti, expiresAt: 0n } }),
  db.consumedToken.delete({ where: { id: jti } }),
]

/** A condition: nobody has consumed the token with this id, a column or a value. */
export const isUnconsumed = (id: Fragment | string): Fragment => sql`
  NOT EXISTS (SELECT 1 FROM "ConsumedToken" t WHERE t."id" = ${id})`

/** Gives a hint only: to consume a token, insert and catch. */
export async function isConsumed(jti: string): Promise<boolean> {
  return (await readRows`SELECT 1 AS "found" FROM "ConsumedToken" s WHERE s."id" = ${jti}`).length > 0
}

/** The primary key lets only one of several concurrent insertions of a token succeed. @param tokens `id` and `expiresAt` */
const insertion = (tokens: Fragment): Fragment => sql`
  INSERT INTO "ConsumedToken" ("id", "expiresAt")
  SELECT n."id", n."expiresAt" + ${BigInt(graceMilliseconds)} FROM (${tokens}) n WHERE TRUE
  ON CONFLICT DO NOTHING`

const one = ({ jti, exp }: Consumable): Fragment => sql`
  SELECT CAST(${jti} AS TEXT) AS "id", CAST(${BigInt(exp * 1000)} AS BIGINT) AS "expiresAt"`

/** Keeps rows longer for instances whose clock is behind. */
const graceMilliseconds = 60_000
