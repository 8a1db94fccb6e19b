import { decodeClientDataJSON } from '@simplewebauthn/server/helpers'
import { ApiError, isApiError } from '@/lib/api/errors'
import { consumeToken } from '@/lib/database/consumed-tokens'
import { unflushed } from '@/lib/database/direct-sql'
import { log } from '@/lib/process/log'
import { printable } from '@/lib/process/printable'
import { logIfForged } from '../audit/log-rejection'
import type { RequestContext } from '../model/request-context'
import { isWrongCredential } from '../model/wrong-credential'
import type { Session } from '../sessions/find-session'
import { asSession, type PrivilegedWriter } from '../sessions/write-as-session'
import { limitFailures } from '../throttling/attempts'
import type { Claims } from '../tokens/claims'
import { readToken } from '../tokens/tokens'
import { verificationFailed } from './ceremony'

type Ceremony = 'register' | 'login'

/** Of a challenge of ours that has not expired. */
export interface Challenge<T extends Ceremony> {
  challenge: string
  claims: Claims<T>
}

declare const consumed: unique symbol

/** Of a challenge that this request has used up. */
type Consumed<C extends Claims<Ceremony>> = C & { readonly [consumed]: true }

/**
 * Verifies a response to a challenge. Counts failures against the address, logs their reasons and consumes their challenges,
 * past the address's limit none of it: a stranger's requests would leave rows and lines without end.
 *
 * @param verify calls `consumeChallenge` before it writes
 */
export async function throttleFailures<T extends Ceremony, R>(
  type: T,
  clientDataJSON: string,
  context: RequestContext,
  verify: (challenge: Challenge<T>) => Promise<R>,
): Promise<R> {
  const reading = readChallenge(type, clientDataJSON, context)
  const verifying = limitFailures('passkey', context.address, async () => verify(await reading))
  return verifying.catch(async (error: unknown) => {
    if (isApiError(error) && isWrongCredential(error)) {
      const { code } = error
      log().info({ code, reason: reasonOf(error), request: context.requestId }, 'Passkey verification failed')
      const read = await reading.catch(() => null)
      if (read) await consume(read.claims)
    }
    throw error
  })
}

/** SimpleWebAuthn's reasons quote what a stranger sent, and could fill the disk with it. */
const longestReason = 200

const reasonOf = ({ cause }: ApiError) => (cause instanceof Error ? printable(cause.message, longestReason) : undefined)

async function readChallenge<T extends Ceremony>(
  type: T,
  clientDataJSON: string,
  context: RequestContext,
): Promise<Challenge<T>> {
  const { challenge, token } = challengeIn(clientDataJSON)
  const claims: Claims<T> | null = await readToken(type, token)
  if (claims) return { challenge, claims }
  await logIfForged(token, context)
  throw verificationFailed('the challenge has expired, or is none of ours')
}

/** Call it once the response is verified, before anything is written: of concurrent ones a single one goes on. */
export async function consumeChallenge<C extends Claims<Ceremony>>(claims: C): Promise<Consumed<C>> {
  if (!(await consume(claims))) throw verificationFailed('the challenge was used before')
  return claims as Consumed<C>
}

/** Unflushed, because a valid response's later writes are flushed: a power cut restores only an unanswered challenge. */
const consume = (claims: Claims<Ceremony>) => consumeToken(claims, unflushed.changes)

function challengeIn(clientDataJSON: string) {
  const { challenge, crossOrigin } = readClientData(clientDataJSON)
  // Our pages cannot be framed, so no genuine response is cross-origin (WebAuthn section 13.4.9).
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

/** A challenge issued to a session works in that session alone, so that a response cannot be moved to another. */
export function requireSameSession({ sid }: { sid?: string | undefined }, session: Session | null): void {
  if (sid !== undefined && session?.claims.jti !== sid) throw ofAnotherSession()
}

/** Writes what the challenge authorizes: one that was issued to a session was issued for its step-up. */
export function asChallenged({ sid }: Consumed<Claims<'register'>>, { claims }: Session): PrivilegedWriter {
  if (claims.jti !== sid) throw ofAnotherSession()
  return asSession(claims) as PrivilegedWriter
}

const ofAnotherSession = () => verificationFailed('the challenge was issued to another session')
