import type { OpenedSession } from '@/lib/auth/sessions'
import { setCookie } from './cookies'
import { json, noContent } from './response'
import type { Call } from './route'

/**
 * The answer that opens a session: its cookie and the device's. Only a client that is no page also gets the token itself:
 * a script that was injected into a page must not be able to carry a session away.
 *
 * @param more what stands beside `user` and `expiresAt`
 */
export function sessionOpened(call: Call, status: 200 | 201, opened: OpenedSession, more: object = {}): Response {
  return withSession(call, status, opened, { user: opened.user, ...more })
}

/** The answer that gives a session in place of one that was ended. */
export const sessionRenewed = (call: Call, opened: OpenedSession): Response => withSession(call, 200, opened, {})

function withSession(call: Call, status: 200 | 201, { session, device }: OpenedSession, body: object): Response {
  const token = call.fromPage ? {} : { token: session.token }
  const response = json(status, { ...body, expiresAt: session.expiresAt, ...token })
  response.headers.append('Set-Cookie', setCookie('session', session.token, session.seconds))
  response.headers.append('Set-Cookie', setCookie('device', device.token, device.seconds))
  return response
}

/** The answer that ends the account. Its device cookie is good for nothing now. */
export function accountEnded(): Response {
  const response = sessionEnded()
  response.headers.append('Set-Cookie', setCookie('device', '', 0))
  return response
}

/** The answer that ends a session. The device cookie stays: it is what keeps strangers from locking its owner out. */
export function sessionEnded(): Response {
  const response = noContent()
  response.headers.append('Set-Cookie', setCookie('session', '', 0))
  return response
}
