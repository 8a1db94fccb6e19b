import { decodeClientDataJSON } from '@simplewebauthn/server/helpers'
import { ApiError } from '@/lib/api/errors'
import { unflushed } from '@/lib/database/sql'
import { log, printable } from '@/lib/process/log'
import { logIfForged } from '../events/rejections'
import type { RequestContext } from '../request'
import { findSession, type Session } from '../sessions/find'
import { asSession, type PrivilegedWriter } from '../sessions/write'
import { isPastLimit, limitFailures } from '../throttling/attempts'
import type { Claims } from '../tokens/claims'
import { consumeToken, readToken } from '../tokens/tokens'

type Ceremony = 'register' | 'login'

/** EdDSA, ES256 and RS256 alone, because newer versions of Node offer algorithms that older ones cannot verify. */
export const algorithms = [-8, -7, -257]

/** @param reason for the log only */
export const verificationFailed = (reason: string) =>
  new ApiError('authentication_failed', { cause: new Error(reason) })

/** Requires that SimpleWebAuthn verifies a response. Its reason for a rejection goes to the log, never to the client. */
export async function requireVerified<T extends { verified: boolean }>(verify: () => Promise<T>) {
  const result = await verify().catch((cause: unknown) => {
    throw new ApiError('authentication_failed', { cause })
  })
  if (!result.verified) throw verificationFailed('the signature is invalid')
  return result as T & { verified: true }
}

declare const consumed: unique symbol

/** The claims of a challenge that this request has used up. */
type Consumed<C extends Claims<Ceremony>> = C & { readonly [consumed]: true }

/** One of our challenges that has not expired. */
export interface Challenge<T extends Ceremony> {
  challenge: string
  claims: Claims<T>
  /** Uses up the challenge; of concurrent requests, one goes on. Does nothing the second time. */
  consume(): Promise<Consumed<Claims<T>>>
}

async function readChallenge<T extends Ceremony>(
  type: T,
  clientDataJSON: string,
  context: RequestContext,
): Promise<Challenge<T>> {
  const { challenge, token } = challengeIn(clientDataJSON)
  const claims: Claims<T> | null = await readToken(type, token)
  if (claims) {
    let consuming: ReturnType<Challenge<T>['consume']> | undefined
    return { challenge, claims, consume: () => (consuming ??= consume(claims)) }
  }
  await logIfForged(token, context)
  throw verificationFailed('the challenge has expired, or is none of ours')
}

/**
 * Consumes without waiting for the disk. The writes after a right response wait, and take this row with them, so that a power
 * cut brings back only challenges of responses that led to nothing.
 */
async function consume<C extends Claims<Ceremony>>(claims: C): Promise<Consumed<C>> {
  if (!(await consumeToken(claims, unflushed.changes))) throw verificationFailed('the challenge was used before')
  return claims as Consumed<C>
}

function challengeIn(clientDataJSON: string) {
  const { challenge, crossOrigin } = readClientData(clientDataJSON)
  // No site can frame our pages, so no genuine response is cross-origin (WebAuthn section 13.4.9).
  if (crossOrigin === true) throw verificationFailed('the response is cross-origin')
  if (typeof challenge !== 'string') throw verificationFailed('the response has no challenge')
  return { challenge, token: Buffer.from(challenge, 'base64url').toString() }
}

function readClientData(clientDataJSON: string) {
  try {
    const { challenge, crossOrigin } = decodeClientDataJSON(clientDataJSON)
    return { challenge, crossOrigin }
  } catch (cause) {
    throw new ApiError('authentication_failed', { cause })
  }
}

/** Accepts a challenge in the session that it was made for alone, so that nobody moves a response to another session. */
export async function requireSameSession({ sid }: Claims<'login'>, context: RequestContext): Promise<void> {
  if (sid === undefined) return
  const session = await findSession(context.session)
  if (session?.claims.jti !== sid) throw ofAnotherSession()
}

/** Makes a writer for the changes that the challenge authorizes: a session gets such a challenge only for its step-up. */
export function asChallenged({ sid }: Consumed<Claims<'register'>>, { claims }: Session): PrivilegedWriter {
  if (claims.jti !== sid) throw ofAnotherSession()
  return asSession(claims) as PrivilegedWriter
}

const ofAnotherSession = () => verificationFailed('the challenge was issued to another session')

/**
 * Consumes the challenge, verifies the response to it and counts failures by address. Past the address's limit only a right
 * response consumes its challenge: a stranger's requests would leave rows without end.
 *
 * @param verify calls `consume()` before it writes
 * @param onFailure writes more about a failure within the limit than a line with its reason
 */
export async function verifyResponse<T extends Ceremony, R>(
  type: T,
  clientDataJSON: string,
  context: RequestContext,
  verify: (challenge: Challenge<T>) => Promise<R>,
  onFailure: () => void = () => {},
): Promise<R> {
  const attempt = async () => {
    const challenge = await readChallenge(type, clientDataJSON, context)
    if (!(await isPastLimit('passkey', context.address))) await challenge.consume()
    return verify(challenge)
  }
  return limitFailures('passkey', context.address, attempt, (error) => {
    log().info({ code: error.code, reason: reasonOf(error), request: context.requestId }, 'Passkey verification failed')
    onFailure()
  })
}

/** Cuts SimpleWebAuthn's reasons, which quote a stranger's text that could fill the disk. */
const longestReason = 200

const reasonOf = ({ cause }: ApiError) => (cause instanceof Error ? printable(cause.message, longestReason) : undefined)
