import { readCookie, setCookie } from '../request/cookies'

/** How a session has just ended: shown once, on the next page. Each has its sentence in the namespace `arrivals`. */
const flashMessages = ['signed_out', 'signed_out_everywhere', 'account_deleted'] as const

export type FlashMessage = (typeof flashMessages)[number]
export type Arrival = FlashMessage | 'session_ended' | 'sign_in'

/** Long enough for the next page to load. */
const cookieSeconds = 60

/** The Set-Cookie header that shows a flash message on the next page. The cookie is called `ending`. */
export const setFlashMessage = (message: FlashMessage) => setCookie('ending', message, cookieSeconds)

export const clearFlashMessage = () => setCookie('ending', '', 0)

/**
 * A page with `next` shows no flash message: the same sign-out may have redirected another tab to it, and the message is
 * for the tab that signed out.
 */
export const showsFlashMessage = (next: unknown) => next === undefined || next === null

/** The flash message of the next page. A cookie holds it, because anyone can link to an address. */
export function readFlashMessage(headers: Pick<Headers, 'get'>): FlashMessage | null {
  const value = readCookie(headers, 'ending')
  return flashMessages.find((message) => message === value) ?? null
}

export function readArrival(headers: Pick<Headers, 'get'>, next: unknown): Arrival | null {
  if (showsFlashMessage(next)) return readFlashMessage(headers)
  // The cookie goes when it expires or signs out here: one that is left belongs to a session that ended elsewhere.
  return readCookie(headers, 'session') === null ? 'sign_in' : 'session_ended'
}
