import type { PostResult } from '@/lib/api/endpoints'
import type { RememberedSignIn } from '@/lib/api/remembered-sign-in'
import type { User } from '@/lib/api/schemas'
import type { RegistrationResult } from '@/lib/auth/passkeys/verify-registration'
import type { Session } from '@/lib/auth/sessions/find-session'
import type { OpenedSession } from '@/lib/auth/sessions/issue-session-tokens'
import { serializeCookie } from '../request/cookies'
import type { Header } from '../response/api-headers'
import { WithHeaders } from '../response/result-response'
import type { Call } from '../route'
import { flashMessageCookie } from '../visitor/flash-message'
import { noRememberedSignIn, rememberedAfterSignIn, rememberedSignInCookie } from '../visitor/remembered-sign-in'
import {
  afterLogoutPath,
  cookieHeader,
  endedSessionHeaders,
  openedSessionHeaders,
  pageCookieHeaders,
  signedOutHeaders,
} from './session-headers'

type Action<C, T> = (call: C) => Promise<T>

/* Handlers that set cookies. A page never gets the token itself, so that an injected script cannot steal a session. */

/** `method` is what the browser remembers; null for a recovery code. */
export const opensSession =
  <C>(signIn: Action<C, OpenedSession>, method: RememberedSignIn['method']) =>
  async (call: C & Call) => {
    const opened = await signIn(call)
    const headers = [...openedSessionHeaders(opened), ...signInHeaders(call, method, opened.user)]
    return new WithHeaders({ user: opened.user, ...sessionBody(call, opened) }, headers)
  }

/** Without a new session, the current one stays. */
export const renewsSession =
  <C, O extends OpenedSession | null>(action: Action<C, O>) =>
  async (call: C & Call) => {
    const opened: OpenedSession | null = await action(call)
    if (!opened) return null as Extract<O, null>
    return new WithHeaders(sessionBody(call, opened), openedSessionHeaders(opened))
  }

export const renewsOrEndsSession =
  <C>(action: Action<C, OpenedSession | null>) =>
  async (call: C & Call) =>
    (await renewsSession(action)(call)) ??
    new WithHeaders(null, [
      ...endedSessionHeaders(),
      ...pageCookieHeaders(call, flashMessageCookie('signed_out_everywhere')),
    ])

type Registered = PostResult<'/api/auth/register/verify'>

/** Adds a passkey to the session's account, or opens a session of a new one. */
export const registersPasskey =
  <C>(register: Action<C, RegistrationResult>) =>
  async (call: C & Call): Promise<Registered | WithHeaders<Registered>> => {
    const { user, passkey, expiresAt, opened } = await register(call)
    if (!opened) return { user, passkey, expiresAt }
    const headers = [...openedSessionHeaders(opened), ...signInHeaders(call, 'passkey', user)]
    return new WithHeaders({ user, passkey, ...sessionBody(call, opened) }, headers)
  }

export const endsSession =
  <C>(action: Action<C, boolean>) =>
  async (call: C & Call) => {
    const ended = await action(call)
    return new WithHeaders(null, signedOutHeaders({ ended, showsMessage: call.fromPage }))
  }

export const endsSessionIfOwn =
  <C>(action: Action<C, boolean>) =>
  async (call: C & Call) =>
    (await action(call)) ? new WithHeaders(null, signedOutHeaders({ ended: true, showsMessage: call.fromPage })) : null

/** The action returns the browser's destination; null to stay here. */
export const endsSessionForApp =
  <C>(action: Action<C, string | null>) =>
  async (call: C & Call) => {
    const destination = await action(call)
    const headers = signedOutHeaders({ ended: true, showsMessage: destination === null })
    return new WithHeaders({ location: destination ?? afterLogoutPath }, headers)
  }

export const endsAccount =
  <C>(action: Action<C, void>) =>
  async (call: C & Call) => {
    await action(call)
    return new WithHeaders(null, [
      ...endedSessionHeaders(),
      cookieHeader(serializeCookie('device', '', 0)),
      ...pageCookieHeaders(call, rememberedSignInCookie(noRememberedSignIn)),
      ...pageCookieHeaders(call, flashMessageCookie('account_deleted')),
    ])
  }

/**
 * Renames the account, and the remembered sign-in if it holds a username, which can only be this account's: another's sign-in
 * drops it.
 */
export const renamesAccount =
  <C>(action: Action<C, { user: User }>) =>
  async (call: C & Call) => {
    const renamed = await action(call)
    if (!call.rememberedSignIn.username) return renamed
    return new WithHeaders(renamed, [usernameHeader(call, renamed.user.username)])
  }

export const remembersUsername = (call: Call<{ remember: boolean }> & { session: Session }) =>
  new WithHeaders(null, [usernameHeader(call, call.body.remember ? call.session.user.username : null)])

const usernameHeader = ({ rememberedSignIn }: Call, username: string | null) =>
  cookieHeader(rememberedSignInCookie({ ...rememberedSignIn, username }))

const signInHeaders = (call: Call, method: RememberedSignIn['method'], { username }: User): Header[] =>
  pageCookieHeaders(call, rememberedSignInCookie(rememberedAfterSignIn(call.rememberedSignIn, method, username)))

const sessionBody = ({ fromPage }: Call, { session, stepUp }: OpenedSession) => ({
  expiresAt: session.expiresAt,
  ...(!fromPage && { token: session.token }),
  ...(stepUp !== null && { stepUp }),
})
