import { readCookie } from '../request/cookies'
import type { ReadableHeaders } from '../request/node-headers'

/** Why a page redirected to the sign-in, as the namespace `arrivals` says it. Expiry and sign-out here remove the cookie: one that is left ended elsewhere. */
export const signInReason = (headers: ReadableHeaders): 'sign_in' | 'session_ended' =>
  readCookie(headers, 'session') === null ? 'sign_in' : 'session_ended'
