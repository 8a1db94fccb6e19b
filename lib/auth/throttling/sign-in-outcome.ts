import { type ErrorCode, isApiError } from '@/lib/api/errors'
import { isUnavailable } from '@/lib/database/errors'
import { type Counters, recorder, type SignInOutcome } from '@/lib/process/telemetry'
import type { RequestContext } from '../model/request-context'

/** Other errors involve no credential (`invalid_request`), or are ours and visible in the request's status. */
const outcomes: Partial<Record<ErrorCode | 'account_disabled', SignInOutcome>> = {
  authentication_failed: 'failure',
  unknown_passkey: 'failure',
  too_many_attempts: 'throttled',
  account_disabled: 'disabled',
  unavailable: 'unavailable',
}

export async function countOutcome<T>(
  method: Counters['latchkey.sign_ins']['method'],
  context: Pick<RequestContext, 'signal'>,
  signIn: () => Promise<T>,
): Promise<T> {
  try {
    const opened = await signIn()
    recorder()?.count('latchkey.sign_ins', { method, outcome: 'success' })
    return opened
  } catch (error) {
    const outcome = isApiError(error) ? outcomes[error.code] : isUnavailable(error) ? 'unavailable' : undefined
    // A disconnected client's request is rejected as unavailable, too; counted, strangers could trigger an alarm.
    const left = outcome === 'unavailable' && context.signal?.aborted
    if (outcome && !left) recorder()?.count('latchkey.sign_ins', { method, outcome })
    throw error
  }
}
