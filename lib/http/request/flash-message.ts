import { readCookie, serializeCookie } from './cookies'
import type { ReadableHeaders } from './headers'

/** The ways in which a session has just ended. Each has a sentence in the namespace `arrivals`. */
const flashMessages = ['signed_out', 'signed_out_everywhere', 'account_deleted'] as const

type FlashMessage = (typeof flashMessages)[number]

const cookieSeconds = 60

/** Makes the next page show the message; null removes the cookie. */
export const flashMessageCookie = (message: FlashMessage | null) =>
  serializeCookie('ending', message ?? '', message === null ? 0 : cookieSeconds)

/** False with `next`: the sign-out may have redirected another tab here, and the message is for the tab that signed out. */
export const showsFlashMessage = (next: unknown) => next === undefined || next === null

/** The message for a page with this `next`. It comes from a cookie, because anyone can link to a URL. */
export function readFlashMessage(headers: ReadableHeaders, next: unknown): FlashMessage | null {
  if (!showsFlashMessage(next)) return null
  const value = readCookie(headers, 'ending')
  return flashMessages.find((message) => message === value) ?? null
}
