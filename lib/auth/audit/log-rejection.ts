import { type ErrorCode, isApiError } from '@/lib/api/errors'
import type { RequestContext } from '../model/request-context'
import { isForged, readToken } from '../tokens/tokens'
import { logSecurityEvent, type SecurityEvent, type Subject } from './security-log'

const subjects = new WeakMap<RequestContext, Subject>()

/** Says whom a request is about, for the line that is logged if it is rejected. */
export function setSubject(context: RequestContext, subject: Subject): void {
  subjects.set(context, subject)
}

const rejections: Partial<Record<ErrorCode, SecurityEvent>> = {
  authentication_failed: 'authentication_failed',
  unknown_passkey: 'authentication_failed',
  too_many_attempts: 'throttled',
  reauthentication_required: 'step_up_missing',
  account_disabled: 'disabled_account',
  foreign_origin: 'foreign_origin',
}

/** Logs why a request was rejected, if that is a matter of security. A request that succeeds costs nothing here. */
export async function logRejection(error: unknown, context: RequestContext): Promise<void> {
  if (!isApiError(error)) return
  const event = rejections[error.code]
  if (event) logSecurityEvent(event, context, subjects.get(context) ?? (await sessionSubject(context)))
  const tokens = error.code === 'not_signed_in' || event ? [context.session, context.stepUp] : []
  for (const token of tokens) await logIfForged(token, context)
}

/** The account whose session the request carries, ended or not. */
async function sessionSubject({ session }: RequestContext): Promise<Subject> {
  const claims = session === null ? null : await readToken('session', session)
  return claims ? { account: claims.sub } : {}
}

/** Logs a token that looks like ours and is not signed by us. */
export async function logIfForged(token: string | null, context: RequestContext): Promise<void> {
  if (token !== null && (await isForged(token))) logSecurityEvent('forged_token', context)
}
