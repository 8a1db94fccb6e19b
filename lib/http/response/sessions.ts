import type { PostResult } from '@/lib/api/endpoints'
import type { User } from '@/lib/api/schemas'
import type { RememberedSignIn } from '@/lib/api/site'
import type { RegistrationResult } from '@/lib/auth/passkeys/registration'
import type { Session } from '@/lib/auth/sessions/find'
import type { OpenedSession } from '@/lib/auth/sessions/issue'
import type { StepUp } from '@/lib/auth/sessions/step-up'
import type { AccessCookie } from '@/lib/auth/tokens/access-tokens'
import { settings } from '@/lib/settings/settings'
import type { Call } from '../request/context'
import {
  endingCookie,
  rememberedAfterSignIn,
  rememberedSignInCookie,
  renamedPerson,
  serializeAccessCookie,
  serializeCookie,
  withoutPerson,
  withPerson,
} from '../request/cookies'
import type { Header } from './headers'
import { WithHeaders } from './result'

/* Each of the next functions makes of an action a handler that also sets cookies. A page never gets the token itself, so that an
   injected script cannot steal a session. */

type Action<C, R> = (call: C) => R | Promise<R>

/** @param method the one that the browser remembers; null for a recovery code */
export const opensSession =
  <C>(action: Action<C, OpenedSession>, method: RememberedSignIn['method']) =>
  async (call: C & Call) => {
    const opened = await action(call)
    const headers = [...openedSessionHeaders(opened), ...signInHeaders(call, method, opened.user)]
    return new WithHeaders({ user: opened.user, ...sessionBody(call, opened) }, headers)
  }

/** Sets the cookie by which the browser goes on with the recovery that it asks for. */
export const keepsRecovery =
  <C>(action: Action<C, { kept: string; seconds: number }>) =>
  async (call: C) => {
    const { kept, seconds } = await action(call)
    return new WithHeaders({}, [cookieHeader(serializeCookie('recovery', kept, seconds))])
  }

/** Sets the cookies of a new session, if the action returns one; else the current one stays. */
export const renewsSession =
  <C, O extends OpenedSession | null>(action: Action<C, O>) =>
  async (call: C & Call) => {
    const opened = await action(call)
    return opened ? renewed(call, opened) : (null as Extract<O, null>)
  }

export const renewsOrEndsSession =
  <C>(action: Action<C, OpenedSession | null>) =>
  async (call: C & Call) => {
    const opened = await action(call)
    if (opened) return renewed(call, opened)
    const message = pageCookieHeaders(call, endingCookie('signed_out_everywhere'))
    return new WithHeaders(null, [...endedSessionHeaders(), ...message])
  }

const renewed = (call: Call, opened: OpenedSession) =>
  new WithHeaders(sessionBody(call, opened), openedSessionHeaders(opened))

type Registered = PostResult<'/api/auth/register/verify'>

/** Sets cookies if the passkey made a new account, whose session it opens; else it joins the session's account. */
export const registersPasskey =
  <C>(action: Action<C, RegistrationResult>) =>
  async (call: C & Call) => {
    const { user, passkey, expiresAt, opened } = await action(call)
    if (!opened) return { user, passkey, expiresAt } satisfies Registered
    const headers = [...openedSessionHeaders(opened), ...signInHeaders(call, 'passkey', user)]
    return new WithHeaders<Registered>({ user, passkey, ...sessionBody(call, opened) }, headers)
  }

export const endsSession =
  <C>(action: Action<C, boolean>) =>
  async (call: C & Call) =>
    new WithHeaders(null, signedOutHeaders({ ended: await action(call), showsMessage: call.fromPage }))

export const endsSessionIfOwn =
  <C>(action: Action<C, boolean>) =>
  async (call: C & Call) =>
    (await action(call)) ? new WithHeaders(null, signedOutHeaders({ ended: true, showsMessage: call.fromPage })) : null

/** Leads to the URL that the action returns; null for a page of ours. */
export const endsSessionForApp =
  <C>(action: Action<C, string | null>) =>
  async (call: C) => {
    const destination = await action(call)
    const headers = signedOutHeaders({ ended: true, showsMessage: destination === null })
    return new WithHeaders({ location: destination ?? afterLogoutPath }, headers)
  }

export const endsAccount =
  <C>(action: Action<C, void>) =>
  async (call: C & Call & { stepUp: StepUp }) => {
    await action(call)
    const { people } = withoutPerson(call.rememberedSignIn, call.stepUp.session.user.id)
    return new WithHeaders(null, [
      ...endedSessionHeaders(),
      cookieHeader(serializeCookie('device', '', 0)),
      // The way in is gone; other people who are remembered here stay.
      ...pageCookieHeaders(call, rememberedSignInCookie({ method: null, people })),
      ...pageCookieHeaders(call, endingCookie('account_deleted')),
    ])
  }

/** Renames the account, also where this browser remembers its name. */
export const renamesAccount =
  <C>(action: Action<C, { user: User }>) =>
  async (call: C & Call) => {
    const named = await action(call)
    const remembered = renamedPerson(call.rememberedSignIn, named.user)
    return remembered === null ? named : new WithHeaders(named, [cookieHeader(rememberedSignInCookie(remembered))])
  }

/** Remembers the username in this browser, or forgets it. */
export const remembersUsername = ({
  body: { remember },
  rememberedSignIn,
  session: { user },
}: Call<{ remember: boolean }> & { session: Session }) => {
  const remembered = remember ? withPerson(rememberedSignIn, user) : withoutPerson(rememberedSignIn, user.id)
  return new WithHeaders(null, [cookieHeader(rememberedSignInCookie(remembered))])
}

const signInHeaders = (call: Call, method: RememberedSignIn['method'], user: User): Header[] =>
  pageCookieHeaders(call, rememberedSignInCookie(rememberedAfterSignIn(call.rememberedSignIn, method, user)))

const sessionBody = ({ fromPage }: Call, { session, stepUp }: OpenedSession) => ({
  expiresAt: session.expiresAt,
  ...(!fromPage && { token: session.token }),
  ...(stepUp !== null && { stepUp }),
})

/** Sets a cookie that only pages read, so other programs get none. */
const pageCookieHeaders = ({ fromPage }: Pick<Call, 'fromPage'>, cookie: string): Header[] =>
  fromPage ? [cookieHeader(cookie)] : []

const openedSessionHeaders = ({ session, device, access }: OpenedSession): Header[] => [
  cookieHeader(serializeCookie('session', session.token, session.seconds)),
  cookieHeader(serializeCookie('device', device.token, device.seconds)),
  ...accessCookieHeaders(access),
]

/** Sets or removes the access cookie; no header without ACCESS_COOKIE_DOMAIN. */
export function accessCookieHeaders(access?: AccessCookie | null): Header[] {
  const { accessCookie } = settings()
  return accessCookie ? [cookieHeader(serializeAccessCookie(accessCookie.domain, access ?? undefined))] : []
}

/** Clears the storage only if a session has ended: an image on another site, whose request sends no cookie, must not clear it. */
export const signedOutHeaders = ({ ended, showsMessage }: { ended: boolean; showsMessage: boolean }): Header[] => [
  ...(ended ? endedSessionHeaders() : clearedCookieHeaders()),
  ...(showsMessage ? [cookieHeader(endingCookie('signed_out'))] : []),
]

/** Removes the cookies, and what pages stored in this browser for the person (Clear Site Data, section 3.1). */
const endedSessionHeaders = (): Header[] => [...clearedCookieHeaders(), ['Clear-Site-Data', '"storage"']]

/** Leaves the device cookie, which keeps strangers from locking its owner out. */
const clearedCookieHeaders = (): Header[] => [cookieHeader(serializeCookie('session', '', 0)), ...accessCookieHeaders()]

/** The page after a logout without a redirect URI. */
export const afterLogoutPath = '/signin'

const cookieHeader = (cookie: string): Header => ['Set-Cookie', cookie]
