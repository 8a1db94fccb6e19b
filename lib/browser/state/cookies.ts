import {
  formatNoticeMemory,
  type NoticeMemory,
  parseNoticeMemory,
  type RememberedType,
  withChanged,
  withDismissed,
} from '@/lib/activity/notice-memory'
import type { PostPath } from '@/lib/api/endpoints'
import { cookieName, maxCookieSeconds } from '@/lib/api/names'
import { localZone } from '@/lib/messages/format/dates'

/*
 * Cookies that this browser's script shares with the server. Some browsers throw where the person forbids cookies; pages then
 * do without.
 */

type SharedCookie = 'notices' | 'zone'

const isSecure = () => window.location.protocol === 'https:'
const nameOf = (name: SharedCookie) => cookieName(name, isSecure())

function readCookie(name: SharedCookie): string | null {
  const start = `${nameOf(name)}=`
  try {
    const cookie = document.cookie.split('; ').find((one) => one.startsWith(start))
    return cookie?.slice(start.length) ?? null
  } catch {
    return null
  }
}

/** An empty value removes it. */
function writeCookie(name: SharedCookie, value: string): void {
  const secure = isSecure() ? '; Secure' : ''
  try {
    // biome-ignore lint/suspicious/noDocumentCookie: not all browsers have the Cookie Store API, nor do insecure pages.
    document.cookie = `${nameOf(name)}=${value}; Path=/; Max-Age=${value ? maxCookieSeconds : 0}; SameSite=Lax${secure}`
  } catch {
    // A browser that throws here lets nothing be read, either.
  }
}

/** Stores the reader's time zone in a cookie, so that the server renders the next page's times in it. */
export function rememberZone(): void {
  const zone = localZone()
  if (zone !== null && readCookie('zone') !== zone) writeCookie('zone', zone)
}

/* Writes this browser's memory of notices into its cookie. */

/** A Date header has whole seconds, and the hosts of a split deployment have a clock each. */
const clockTolerance = 2_000

/** `until`: the time of the newest notice shown. */
export const rememberDismissal = (accountId: string, until: number): void =>
  write(withDismissed(read(), accountId, until))

/** Removes a deleted account from the browser's memory. */
export function forgetNotices(accountId: string): void {
  const memory = read()
  memory.delete(accountId)
  write(memory)
}

const actionsByPath: Partial<Record<PostPath, RememberedType>> = {
  '/api/signin': 'signed_in',
  '/api/signin/recovery': 'signed_in',
  '/api/auth/login/verify': 'signed_in',
  '/api/auth/register/verify': 'passkey_added',
  '/api/i/passkeys/remove': 'passkey_removed',
  '/api/i/username': 'username_changed',
  '/api/i/password': 'password_changed',
  '/api/i/password/remove': 'password_removed',
  '/api/i/recovery-codes': 'recovery_codes_made',
  '/api/i/signout-everywhere': 'signed_out_everywhere',
}

/**
 * Remembers an action of this page, timed by the response's Date.
 *
 * @param accountId of the account that it was for; null if that is not known
 * @param elapsed milliseconds since the request
 */
export function rememberOwnAction(accountId: string | null, path: PostPath, response: Response, elapsed: number): void {
  const type = actionsByPath[path]
  const answered = Date.parse(response.headers.get('Date') ?? '')
  if (!accountId || !type || Number.isNaN(answered)) return
  const from = answered - Math.ceil(elapsed) - clockTolerance
  const action = { type, from, to: answered + clockTolerance }
  write(withChanged(read(), accountId, ({ dismissed, own }) => ({ dismissed, own: [...own, action] })))
}

const read = () => parseNoticeMemory(readCookie('notices'))

const write = (memory: NoticeMemory) => writeCookie('notices', formatNoticeMemory(memory))
