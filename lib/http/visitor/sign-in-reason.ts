import { readCookie } from '../request/cookies'
import type { ReadableHeaders } from '../request/node-headers'

/**
 * Which sentence of `arrivals` explains the redirect to /signin. Expiry and sign-out in this browser remove the cookie; one that
 * is still there belongs to a session that ended elsewhere.
 */
export const signInReason = (headers: ReadableHeaders): 'sign_in' | 'session_ended' =>
  readCookie(headers, 'session') === null ? 'sign_in' : 'session_ended'
