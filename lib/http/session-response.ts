import type { Result } from '@/lib/api/endpoints'
import type { User } from '@/lib/api/schemas'
import type { RegistrationResult } from '@/lib/auth/passkeys/verify-registration'
import type { OpenedSession } from '@/lib/auth/sessions/open-session'
import type { Session } from '@/lib/auth/sessions/sessions'
import type { AccessCookie } from '@/lib/auth/tokens/access-cookie'
import { settings } from '@/lib/settings/settings'
import type { Call } from './call'
import { type FlashMessage, setFlashMessage } from './flash-message'
import {
  clearRememberedSignIn,
  type RememberedSignIn,
  rememberedAfterSignIn,
  setRememberedSignIn,
} from './remembered-sign-in'
import { setAccessCookie, setCookie } from './request/cookies'
import { WithHeaders } from './response/response'

type Action<C, T> = (call: C) => Promise<T>

/* Handlers that set cookies. A page never gets the token itself, so that an injected script cannot steal a session. */

/** Opens a session: sets its cookie and the device's. `method` is null for one that is not for every day. */
export const opensSession =
  <C>(signIn: Action<C, OpenedSession>, method: RememberedSignIn['method']) =>
  async (call: C & Call) => {
    const opened = await signIn(call)
    const headers = [...cookies(opened), ...rememberSignIn(call, method, opened.user)]
    return new WithHeaders({ user: opened.user, ...session(call, opened) }, headers)
  }

/** Replaces the session. */
export const renewsSession =
  <C>(action: Action<C, OpenedSession>) =>
  async (call: C & Call) => {
    const opened = await action(call)
    return new WithHeaders(session(call, opened), cookies(opened))
  }

/** Replaces the session, or leaves it. */
export const mayRenewSession =
  <C>(action: Action<C, OpenedSession | null>) =>
  async (call: C & Call) => {
    const opened = await action(call)
    return opened ? new WithHeaders(session(call, opened), cookies(opened)) : null
  }

/** Adds a passkey to the session's account, or opens a session of a new one. */
export const registersPasskey =
  <C>(register: Action<C, RegistrationResult>) =>
  async (
    call: C & Call,
  ): Promise<Result<'/api/auth/register/verify'> | WithHeaders<Result<'/api/auth/register/verify'>>> => {
    const { user, passkey, expiresAt, opened } = await register(call)
    if (!opened) return { user, passkey, expiresAt }
    const headers = [...cookies(opened), ...rememberSignIn(call, 'passkey', user)]
    return new WithHeaders({ user, passkey, ...session(call, opened) }, headers)
  }

/** Ends the session, if there is one. The device cookie stays: it keeps strangers from locking its owner out. */
export const endsSession =
  <C>(action: Action<C, boolean>) =>
  async (call: C & Call) => {
    const ended = await action(call)
    return new WithHeaders(null, [...(ended ? sessionEnded() : clearedCookies()), ...flashMessage(call, 'signed_out')])
  }

/** Ends the session if the action says so. */
export const mayEndSession =
  <C>(action: Action<C, boolean>) =>
  async (call: C & Call) =>
    (await action(call)) ? new WithHeaders(null, [...sessionEnded(), ...flashMessage(call, 'signed_out')]) : null

/** Where somebody stays who goes on to no app. */
export const signedOutHere = '/signin'

/** Ends the session; the action says to which app the browser goes on, if any. */
export const leavesForApp =
  <C>(action: Action<C, string | null>) =>
  async (call: C & Call) => {
    const returnTo = await action(call)
    return new WithHeaders({ location: returnTo ?? signedOutHere }, signedOutHeaders(returnTo))
  }

/** Of a response that leads away from a session that has ended. */
export const signedOutHeaders = (returnTo: string | null): Header[] => [
  ...sessionEnded(),
  ...(returnTo === null ? [['Set-Cookie', setFlashMessage('signed_out')] satisfies Header] : []),
]

/** Replaces the session, or ends it. */
export const renewsOrEndsSession =
  <C>(action: Action<C, OpenedSession | null>) =>
  async (call: C & Call) =>
    (await mayRenewSession(action)(call)) ??
    new WithHeaders(null, [...sessionEnded(), ...flashMessage(call, 'signed_out_everywhere')])

/** Ends the session and the account. */
export const endsAccount =
  <C>(action: Action<C, void>) =>
  async (call: C & Call) => {
    await action(call)
    const forgotten: Header[] = call.fromPage ? [['Set-Cookie', clearRememberedSignIn()]] : []
    const message = flashMessage(call, 'account_deleted')
    return new WithHeaders(null, [...sessionEnded(), cookie('device', '', 0), ...forgotten, ...message])
  }

/** Changes the username, also where the browser remembers it. */
export const renames =
  <C>(action: Action<C, { user: User }>) =>
  async (call: C & Call) => {
    const renamed = await action(call)
    const { username } = renamed.user
    if (!call.rememberedSignIn.username) return renamed
    return new WithHeaders(renamed, [['Set-Cookie', setRememberedSignIn({ ...call.rememberedSignIn, username })]])
  }

/** Remembers the account's name in this browser, or no longer. */
export function remembersUsername({
  body,
  session,
  rememberedSignIn,
}: Call<{ remember: boolean }> & { session: Session }) {
  const username = body.remember ? session.user.username : null
  return new WithHeaders(null, [['Set-Cookie', setRememberedSignIn({ ...rememberedSignIn, username })]])
}

type Header = [name: string, value: string]

const cookie = (...[name, value, seconds]: Parameters<typeof setCookie>): Header => [
  'Set-Cookie',
  setCookie(name, value, seconds),
]

/** Nothing that a page stored for this person stays in the browser (Clear Site Data, section 3.1). */
const sessionEnded = (): Header[] => [...clearedCookies(), ['Clear-Site-Data', '"storage"']]

const clearedCookies = (): Header[] => [cookie('session', '', 0), ...accessCookieHeaders()]

/* Only for pages: other programs show neither. */
const rememberSignIn = (
  { fromPage, rememberedSignIn }: Call,
  method: RememberedSignIn['method'],
  { username }: User,
): Header[] =>
  fromPage ? [['Set-Cookie', setRememberedSignIn(rememberedAfterSignIn(rememberedSignIn, method, username))]] : []
const flashMessage = ({ fromPage }: Call, message: FlashMessage): Header[] =>
  fromPage ? [['Set-Cookie', setFlashMessage(message)]] : []

/** None without ACCESS_COOKIE_DOMAIN. */
export function accessCookieHeaders(access?: AccessCookie | null): Header[] {
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
  ...accessCookieHeaders(access),
]
