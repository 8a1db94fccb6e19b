import { readCookie, serializeCookie } from './cookies'
import type { ReadableHeaders } from './head'

/* Why somebody arrives at a page. Each reason is a sentence of the namespace `arrivals`. */

/**
 * Why a page has redirected to /signin. Expiry, and a sign-out in this browser, remove the session's cookie, so a cookie that is
 * still there belongs to a session that ended elsewhere.
 */
export const signInReason = (headers: ReadableHeaders): 'sign_in' | 'session_ended' =>
  readCookie(headers, 'session') === null ? 'sign_in' : 'session_ended'

/** The ways in which a session has just ended. */
const flashMessages = ['signed_out', 'signed_out_everywhere', 'account_deleted'] as const

type FlashMessage = (typeof flashMessages)[number]

const cookieSeconds = 60

/** Makes the next page show the message; null removes the cookie. */
export const flashMessageCookie = (message: FlashMessage | null) =>
  serializeCookie('ending', message ?? '', message === null ? 0 : cookieSeconds)

/** False with `next`: the sign-out may have redirected another tab here, and the message is for the tab that signed out. */
export const showsFlashMessage = (next: unknown) => next === undefined || next === null

/** Reads the message for a page with this `next`. It comes from a cookie, because anyone can link to a URL. */
export function readFlashMessage(headers: ReadableHeaders, next: unknown): FlashMessage | null {
  if (!showsFlashMessage(next)) return null
  const value = readCookie(headers, 'ending')
  return flashMessages.find((message) => message === value) ?? null
}
