import type { Result } from '@/lib/api/endpoints'
import type { AccessCookie } from '@/lib/auth/access-cookie'
import type { OpenedSession } from '@/lib/auth/open-session'
import type { RegistrationResult } from '@/lib/auth/passkeys/verify-registration'
import type { RequestContext } from '@/lib/auth/request-context'
import { settings } from '@/lib/settings/settings'
import { setAccessCookie, setCookie } from './cookies'
import { WithHeaders } from './response'
import type { Call } from './route'

type Action<T> = (body: unknown, context: RequestContext) => Promise<T>

/*
 * Handlers of the endpoints that set cookies. Only clients that are not web pages also get the token itself, so that
 * injected scripts cannot carry a session away.
 */

/** Opens a session: sets its cookie and the device's. */
export const opensSession = (signIn: Action<OpenedSession>) => async (call: Call) => {
  const opened = await signIn(call.body, call.context)
  return new WithHeaders({ user: opened.user, ...session(call, opened) }, cookies(opened))
}

/** Replaces the session. */
export const renewsSession = (action: Action<OpenedSession>) => async (call: Call) => {
  const opened = await action(call.body, call.context)
  return new WithHeaders(session(call, opened), cookies(opened))
}

/** Replaces the session, or leaves it. */
export const mayRenewSession = (action: Action<OpenedSession | null>) => async (call: Call) => {
  const opened = await action(call.body, call.context)
  return opened ? new WithHeaders(session(call, opened), cookies(opened)) : null
}

/** Adds a passkey to the session's account, or opens a session of a new one. */
export const registersPasskey =
  (register: Action<RegistrationResult>) =>
  async (
    call: Call,
  ): Promise<Result<'/api/auth/register/verify'> | WithHeaders<Result<'/api/auth/register/verify'>>> => {
    const { user, passkey, expiresAt, opened } = await register(call.body, call.context)
    if (!opened) return { user, passkey, expiresAt }
    return new WithHeaders({ user, passkey, ...session(call, opened) }, cookies(opened))
  }

/** Ends the session, if there is one. The device cookie stays: it keeps strangers from locking its owner out. */
export const endsSession = (action: (context: RequestContext) => Promise<boolean>) => async (call: Call) => {
  const ended = await action(call.context)
  return new WithHeaders(null, ended ? sessionEnded() : clearedCookies())
}

/** Ends the session if the action says so. */
export const mayEndSession = (action: Action<boolean>) => async (call: Call) =>
  (await action(call.body, call.context)) ? new WithHeaders(null, sessionEnded()) : null

/** Replaces the session, or ends it. */
export const renewsOrEndsSession = (action: Action<OpenedSession | null>) => async (call: Call) =>
  (await mayRenewSession(action)(call)) ?? new WithHeaders(null, sessionEnded())

/** Ends the session and the account. */
export const endsAccount = (action: (context: RequestContext) => Promise<void>) => async (call: Call) => {
  await action(call.context)
  return new WithHeaders(null, [...sessionEnded(), cookie('device', '', 0)])
}

type Header = [name: string, value: string]

const cookie = (...[name, value, seconds]: Parameters<typeof setCookie>): Header => [
  'Set-Cookie',
  setCookie(name, value, seconds),
]

/** Nothing that a page stored for this person stays in the browser (Clear Site Data, section 3.1). */
const sessionEnded = (): Header[] => [...clearedCookies(), ['Clear-Site-Data', '"storage"']]

const clearedCookies = (): Header[] => [cookie('session', '', 0), ...accessCookie()]

/** None without ACCESS_COOKIE_DOMAIN. */
export function accessCookie(access?: AccessCookie | null): Header[] {
  const { accessCookie } = settings()
  return accessCookie ? [['Set-Cookie', setAccessCookie(accessCookie.domain, access ?? undefined)]] : []
}

const session = ({ fromPage }: Call, { session, stepUp }: OpenedSession) => ({
  expiresAt: session.expiresAt,
  ...(!fromPage && { token: session.token }),
  ...(stepUp !== null && { stepUp }),
})

const cookies = ({ session, device, access }: OpenedSession): Header[] => [
  cookie('session', session.token, session.seconds),
  cookie('device', device.token, device.seconds),
  ...accessCookie(access),
]
