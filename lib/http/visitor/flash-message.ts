import { readCookie, serializeCookie } from '../request/cookies'
import type { ReadableHeaders } from '../request/node-headers'

/** How a session has just ended. Each has a sentence in the namespace `arrivals`. */
const flashMessages = ['signed_out', 'signed_out_everywhere', 'account_deleted'] as const

type FlashMessage = (typeof flashMessages)[number]

const cookieSeconds = 60

/** Has the next page show the message; null removes the cookie. */
export const flashMessageCookie = (message: FlashMessage | null) =>
  serializeCookie('ending', message ?? '', message === null ? 0 : cookieSeconds)

/** With `next`, the sign-out may have redirected another tab here; the message is for the tab that signed out. */
export const showsFlashMessage = (next: unknown) => next === undefined || next === null

/** The message for a page that is opened with this `next`. From a cookie, because anyone can link to a URL. */
export function readFlashMessage(headers: ReadableHeaders, next: unknown): FlashMessage | null {
  if (!showsFlashMessage(next)) return null
  const value = readCookie(headers, 'ending')
  return flashMessages.find((message) => message === value) ?? null
}
