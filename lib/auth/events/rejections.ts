import { type ApiError, type ErrorCode, isApiError } from '@/lib/api/errors'
import { isOAuthError, type OAuthErrorCode } from '@/lib/api/oauth-errors'
import { isUnavailable } from '@/lib/database/errors'
import { type Delivery, tlsFailureOf } from '@/lib/delivery/senders'
import { type Counters, recorder } from '@/lib/process/recorder'
import { isWrongCredential, type RequestContext } from '../request'
import { isForged, readSessionToken } from '../tokens/tokens'
import { type CountedEvent, countRejection } from './counted-rejections'
import { logSecurityEvent, type SecurityEvent, type Subject } from './security-log'

/** The account that each request is about. Code that rejects one, such as a limit, may not know it. */
const subjects = new WeakMap<RequestContext, Subject>()

/** The log lines of the request's rejections are about this account; without it, about that of the request's session. */
export function attributeRejections(context: RequestContext, subject: Subject): void {
  subjects.set(context, subject)
}

const rejections: Partial<Record<ErrorCode, SecurityEvent>> = {
  account_disabled: 'disabled_account',
}

const countedRejections: Partial<Record<ErrorCode, CountedEvent>> = {
  invalid_request: 'invalid_request',
  not_signed_in: 'not_signed_in',
  foreign_origin: 'foreign_origin',
  reauthentication_required: 'step_up_missing',
  too_many_attempts: 'throttled',
}

/** Rejections that may be due to the token. After one of these we look for a forged token. */
const tokenCodes: readonly ErrorCode[] = [
  'not_signed_in',
  'foreign_origin',
  'reauthentication_required',
  'too_many_attempts',
]

/** `invalid_client` is not here: `authenticateApp()` logs it as `app_rejected`. */
const countedOAuthRejections: Partial<Record<OAuthErrorCode, CountedEvent>> = {
  invalid_request: 'invalid_request',
  invalid_grant: 'invalid_request',
  invalid_scope: 'invalid_request',
  invalid_token: 'not_signed_in',
}

const eventOf = (error: ApiError) => (isWrongCredential(error) ? 'authentication_failed' : rejections[error.code])

/** Logs a rejection on a line of its own, or counts it with others. */
export async function logRejection(error: unknown, context: RequestContext): Promise<void> {
  const oauthEvent = isOAuthError(error) ? countedOAuthRejections[error.code] : undefined
  if (oauthEvent) countRejection(oauthEvent, context)
  if (!isApiError(error)) return
  const event = eventOf(error)
  const counted = error.details.notOwned ? 'not_owned' : countedRejections[error.code]
  if (!counted && !event) return
  const subject = subjects.get(context) ?? (await sessionSubject(context))
  if (counted) countRejection(counted, context, subject)
  if (event) logSecurityEvent(event, context, subject)
  if (!event && !tokenCodes.includes(error.code)) return
  for (const token of [context.session, context.stepUp]) await logIfForged(token, context)
}

/** Also for a session that has ended. */
export async function sessionSubject({ session }: RequestContext): Promise<Subject> {
  const claims = session === null ? null : await readSessionToken(session)
  return claims ? { account: claims.sub } : {}
}

/** Logs a token of one of our types that we did not sign. */
export async function logIfForged(token: string | null, context: RequestContext): Promise<void> {
  if (token !== null && (await isForged(token))) countRejection('forged_token', context)
}

/** Logs that a receiver of ours could not be trusted, and throws the error on: each delivery tries again for days. */
export const logIfUntrusted =
  (delivery: Pick<Delivery, 'id' | 'account'>, app?: string) =>
  (error: unknown): never => {
    const reason = tlsFailureOf(error)
    const origin = { address: null, userAgent: null, requestId: delivery.id }
    if (reason)
      countRejection('receiver_untrusted', origin, {
        account: delivery.account,
        reason,
        ...(app !== undefined && { app }),
      })
    throw error
  }

/** Other errors show no credential (`invalid_request`), or are ours and visible in the request's status. */
const outcomes: Partial<Record<ErrorCode, string>> = {
  too_many_attempts: 'throttled',
  account_disabled: 'disabled',
  unavailable: 'unavailable',
}

function outcomeOf(error: unknown): string | undefined {
  if (isWrongCredential(error)) return 'failure'
  if (isApiError(error)) return outcomes[error.code]
  return isUnavailable(error) ? 'unavailable' : undefined
}

/** Runs the sign-in and counts it in the metric `latchkey.sign_ins`, by its outcome. */
export async function countSignInOutcome<T>(
  method: Counters['latchkey.sign_ins']['method'],
  context: Pick<RequestContext, 'signal'>,
  signIn: () => Promise<T>,
): Promise<T> {
  try {
    const opened = await signIn()
    recorder()?.count('latchkey.sign_ins', { method, outcome: 'success' })
    return opened
  } catch (error) {
    const outcome = outcomeOf(error)
    // A disconnected client's request is rejected as unavailable, too; counted, strangers could trigger an alarm.
    const left = outcome === 'unavailable' && context.signal?.aborted
    if (outcome && !left) recorder()?.count('latchkey.sign_ins', { method, outcome })
    throw error
  }
}
