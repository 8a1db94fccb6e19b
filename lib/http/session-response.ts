import type { Result } from '@/lib/api/endpoints'
import type { RegistrationResult } from '@/lib/auth/passkeys/verify-registration'
import type { RequestContext } from '@/lib/auth/request-context'
import type { OpenedSession } from '@/lib/auth/sessions'
import { setCookie } from './cookies'
import { WithCookies } from './response'
import type { Call } from './route'

type Action<T> = (body: unknown, context: RequestContext) => Promise<T>

/*
 * Handlers of the endpoints that set cookies. Only clients that are not web pages also get the token itself, so that
 * injected scripts cannot carry a session away.
 */

/** Opens a session: sets its cookie and the device's. */
export const opensSession = (signIn: Action<OpenedSession>) => async (call: Call) => {
  const opened = await signIn(call.body, call.context)
  return new WithCookies({ user: opened.user, ...session(call, opened) }, cookies(opened))
}

/** Replaces the session. */
export const renewsSession = (action: Action<OpenedSession>) => async (call: Call) => {
  const opened = await action(call.body, call.context)
  return new WithCookies(session(call, opened), cookies(opened))
}

/** Adds a passkey to the session's account, or opens a session of a new one. */
export const registersPasskey =
  (register: Action<RegistrationResult>) =>
  async (
    call: Call,
  ): Promise<Result<'/api/auth/register/verify'> | WithCookies<Result<'/api/auth/register/verify'>>> => {
    const { user, passkey, expiresAt, opened } = await register(call.body, call.context)
    if (!opened) return { user, passkey, expiresAt }
    return new WithCookies({ user, passkey, ...session(call, opened) }, cookies(opened))
  }

/** Ends the session. The device cookie stays: it keeps strangers from locking its owner out. */
export const endsSession = (action: (context: RequestContext) => Promise<void>) => async (call: Call) => {
  await action(call.context)
  return new WithCookies(null, [setCookie('session', '', 0)])
}

/** Ends the session and the account. */
export const endsAccount = (action: (context: RequestContext) => Promise<void>) => async (call: Call) => {
  await action(call.context)
  return new WithCookies(null, [setCookie('session', '', 0), setCookie('device', '', 0)])
}

const session = ({ fromPage }: Call, { session }: OpenedSession) => ({
  expiresAt: session.expiresAt,
  ...(!fromPage && { token: session.token }),
})

const cookies = ({ session, device }: OpenedSession) => [
  setCookie('session', session.token, session.seconds),
  setCookie('device', device.token, device.seconds),
]
