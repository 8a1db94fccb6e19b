import { mostCookieSeconds } from '@/lib/api/cookie-age'
import { limits } from '@/lib/api/limits'
import type { RememberedSignIn } from '@/lib/api/remembered-sign-in'
import { readCookie, setCookie } from '../request/cookies'

const { min, max } = limits.username
const format = new RegExp(`^(passkey|password|)\\.((?:[A-Za-z0-9._@+-]{${min},${max}})?)$`)

export function readRememberedSignIn(headers: Pick<Headers, 'get'>): RememberedSignIn {
  const [, method, username] = format.exec(readCookie(headers, 'hint') ?? '') ?? []
  return { method: method === 'passkey' || method === 'password' ? method : null, username: username || null }
}

/** The Set-Cookie header that remembers a sign-in, in the cookie `hint`; an empty one removes it. */
export function setRememberedSignIn({ method, username }: RememberedSignIn): string {
  const isEmpty = method === null && username === null
  return setCookie('hint', isEmpty ? '' : `${method ?? ''}.${username ?? ''}`, isEmpty ? 0 : mostCookieSeconds)
}

export const clearRememberedSignIn = () => setRememberedSignIn({ method: null, username: null })

/** What to remember after a sign-in. Another account's name is dropped: the person who signs in now did not ask for it. */
export function rememberedAfterSignIn(
  before: RememberedSignIn,
  method: RememberedSignIn['method'],
  username: string,
): RememberedSignIn {
  const isSame = before.username?.toLowerCase() === username.toLowerCase()
  return { method: method ?? before.method, username: isSame ? username : null }
}

/** Handles `?forget`: the rest of the query. A GET may do this: another site's link can only make a browser forget. */
export function withoutForget(search: string): string | null {
  const parameters = new URLSearchParams(search)
  if (!parameters.has('forget')) return null
  parameters.delete('forget')
  return parameters.size > 0 ? `?${parameters}` : ''
}
