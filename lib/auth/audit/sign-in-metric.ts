import { type ErrorCode, isApiError } from '@/lib/api/errors'
import { isUnavailable } from '@/lib/database/errors'
import { type Counters, recorder } from '@/lib/process/recorder'
import { isWrongCredential, type RequestContext } from '../request'

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
