import { mostCookieSeconds } from '@/lib/api/cookie-age'
import { limits } from '@/lib/api/limits'
import type { RememberedSignIn } from '@/lib/api/remembered-sign-in'
import { readCookie, setCookie } from '../request/cookies'
import type { ReadableHeaders } from '../request/node-headers'

const { min, max } = limits.username
const format = new RegExp(`^(passkey|password|)\\.((?:[A-Za-z0-9._@+-]{${min},${max}})?)$`)

export function readRememberedSignIn(headers: ReadableHeaders): RememberedSignIn {
  const [, method, username] = format.exec(readCookie(headers, 'hint') ?? '') ?? []
  return { method: method === 'passkey' || method === 'password' ? method : null, username: username || null }
}

/** An empty one removes the cookie `hint`. */
export function setRememberedSignIn({ method, username }: RememberedSignIn): string {
  const isEmpty = method === null && username === null
  return setCookie('hint', isEmpty ? '' : `${method ?? ''}.${username ?? ''}`, isEmpty ? 0 : mostCookieSeconds)
}

export const clearRememberedSignIn = () => setRememberedSignIn({ method: null, username: null })

/** Drops another account's name: the person who signs in now did not choose to remember it. */
export function rememberedAfterSignIn(
  before: RememberedSignIn,
  method: RememberedSignIn['method'],
  username: string,
): RememberedSignIn {
  const isSame = before.username?.toLowerCase() === username.toLowerCase()
  return { method: method ?? before.method, username: isSame ? username : null }
}

/** The query without `?forget`, or null. By GET, since another site's link can only make a browser forget. */
export function withoutForget(search: string): string | null {
  const parameters = new URLSearchParams(search)
  if (!parameters.has('forget')) return null
  parameters.delete('forget')
  return parameters.size > 0 ? `?${parameters}` : ''
}
