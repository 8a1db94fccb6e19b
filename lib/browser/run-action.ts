import { ApiClientError, describeFailure, type Outcome, type Wording } from './errors'
import { post } from './post'

/** Runs an action to its end and never rejects, so that no caller can forget to catch. */
export async function runAction(action: () => Promise<unknown>, wording: Wording = {}): Promise<Outcome> {
  try {
    await action()
    return 'done'
  } catch (thrown) {
    return describeFailure(thrown, wording)
  }
}

/** A browser that refuses the cookie would be sent back to sign in without a word, so ask once whether the session stuck. */
export async function requireSessionCookie(): Promise<void> {
  try {
    await post('/api/i')
  } catch (error) {
    if (error instanceof ApiClientError && error.code === 'not_signed_in')
      throw new ApiClientError('session_lost', error.details)
  }
}
