import type { OpenedSession } from '@/lib/auth/sessions/issue-session-tokens'
import type { AccessCookie } from '@/lib/auth/tokens/access-cookie'
import { settings } from '@/lib/settings/settings'
import { serializeAccessCookie, serializeCookie } from '../request/cookies'
import type { Header } from '../response/api-headers'
import type { Call } from '../route'
import { flashMessageCookie } from '../visitor/flash-message'

export const cookieHeader = (cookie: string): Header => ['Set-Cookie', cookie]

export const openedSessionHeaders = ({ session, device, access }: OpenedSession): Header[] => [
  cookieHeader(serializeCookie('session', session.token, session.seconds)),
  cookieHeader(serializeCookie('device', device.token, device.seconds)),
  ...accessCookieHeaders(access),
]

/** Nothing that a page stored for this person stays in the browser (Clear Site Data, section 3.1). */
export const endedSessionHeaders = (): Header[] => [...clearedCookieHeaders(), ['Clear-Site-Data', '"storage"']]

/** The device cookie stays: it keeps strangers from locking its owner out. */
const clearedCookieHeaders = (): Header[] => [cookieHeader(serializeCookie('session', '', 0)), ...accessCookieHeaders()]

/** None without ACCESS_COOKIE_DOMAIN. */
export function accessCookieHeaders(access?: AccessCookie | null): Header[] {
  const { accessCookie } = settings()
  return accessCookie ? [cookieHeader(serializeAccessCookie(accessCookie.domain, access ?? undefined))] : []
}

/** A cookie that pages read; other programs get none. */
export const pageCookieHeaders = ({ fromPage }: Pick<Call, 'fromPage'>, cookie: string): Header[] =>
  fromPage ? [cookieHeader(cookie)] : []

/** Where a logout without a redirect URI ends. */
export const afterLogoutPath = '/signin'

/** Where no session has ended, the storage stays: an image on another site sends no cookie, and must not clear it. */
export const signedOutHeaders = ({ ended, showsMessage }: { ended: boolean; showsMessage: boolean }): Header[] => [
  ...(ended ? endedSessionHeaders() : clearedCookieHeaders()),
  ...(showsMessage ? [cookieHeader(flashMessageCookie('signed_out'))] : []),
]
