import { readCookie, serializeCookie } from '../request/cookies'
import type { ReadableHeaders } from '../request/node-headers'

/** How a session has just ended. Each has a sentence in the namespace `arrivals`. */
const flashMessages = ['signed_out', 'signed_out_everywhere', 'account_deleted'] as const

export type FlashMessage = (typeof flashMessages)[number]
type Arrival = FlashMessage | 'session_ended' | 'sign_in'

const cookieSeconds = 60

/** Has the next page show the message; null removes the cookie. */
export const flashMessageCookie = (message: FlashMessage | null) =>
  serializeCookie('ending', message ?? '', message === null ? 0 : cookieSeconds)

/** With `next`, the sign-out may have redirected another tab here; the message is for the tab that signed out. */
export const showsFlashMessage = (next: unknown) => next === undefined || next === null

/** From a cookie, because anyone can link to an address. */
export function readFlashMessage(headers: ReadableHeaders): FlashMessage | null {
  const value = readCookie(headers, 'ending')
  return flashMessages.find((message) => message === value) ?? null
}

export function readArrival(headers: ReadableHeaders, next: unknown): Arrival | null {
  if (showsFlashMessage(next)) return readFlashMessage(headers)
  // Expiry and sign-out here remove the cookie: one that is left belongs to a session that ended elsewhere.
  return readCookie(headers, 'session') === null ? 'sign_in' : 'session_ended'
}
