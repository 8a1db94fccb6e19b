import { ApiClientError, isCode } from '../failures/errors'
import { post } from './post'

/** The signed-in account, with all its passkeys. @throws ApiClientError `not_signed_in` */
export const fetchAccount = () => post('/api/i')

/** Checks that the browser kept the session cookie; otherwise the next page would redirect to /signin without a reason. Other errors say nothing of the cookie. */
export async function requireSessionCookie(): Promise<void> {
  try {
    await fetchAccount()
  } catch (error) {
    if (isCode(error, 'not_signed_in')) throw new ApiClientError('session_lost', error.details)
  }
}
