import { readCookie, setCookie } from './cookies'

/** What has just ended a session, told once. Each has its sentence in the namespace `arrivals`. */
const told = ['signed_out', 'signed_out_everywhere', 'account_deleted'] as const

export type Ending = (typeof told)[number]
/** Why somebody without a session comes to a page. */
export type Arrival = Ending | 'session_ended' | 'sign_in'

/** Long enough for the next page to load. */
const cookieSeconds = 60

/** The Set-Cookie header that has the next page say what happened. */
export const tellEnding = (ending: Ending) => setCookie('ending', ending, cookieSeconds)

export const forgetEnding = () => setCookie('ending', '', 0)

/**
 * A page with `next` tells no ending: it may be another tab's, which the same sign-out made leave, and the cookie is for
 * the tab that signed out.
 */
export const tellsEnding = (next: unknown) => next === undefined || next === null

/** What has just ended the session, for a page to say. In a cookie, because anyone can link to an address. */
export function readEnding(headers: Pick<Headers, 'get'>): Ending | null {
  const ending = readCookie(headers, 'ending')
  return told.find((one) => one === ending) ?? null
}

/** Why somebody without a session is on the sign-in page; null if they just came. */
export function readArrival(headers: Pick<Headers, 'get'>, next: unknown): Arrival | null {
  if (tellsEnding(next)) return readEnding(headers)
  // The cookie goes when it expires or is signed out here: a session that is left was ended elsewhere.
  return readCookie(headers, 'session') === null ? 'sign_in' : 'session_ended'
}
