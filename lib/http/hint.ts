import { limits } from '@/lib/api/limits'
import { readCookie, setCookie } from './cookies'

/**
 * What this browser may be told before it signs in: the way used last, and the username if its person asked to have it
 * remembered. On a shared computer the next person sees both, so a name is never kept without that.
 */
export interface Hint {
  method: 'passkey' | 'password' | null
  username: string | null
}

/** The longest that browsers keep a cookie (RFC 6265bis section 5.5). */
const cookieSeconds = 400 * 86_400

const { min, max } = limits.username
const format = new RegExp(`^(passkey|password|)\\.((?:[A-Za-z0-9._@+-]{${min},${max}})?)$`)

/** The browser's hint; of a cookie that does not parse, nothing. */
export function readHint(headers: Pick<Headers, 'get'>): Hint {
  const [, method, username] = format.exec(readCookie(headers, 'hint') ?? '') ?? []
  return { method: method === 'passkey' || method === 'password' ? method : null, username: username || null }
}

/** The Set-Cookie header that keeps a hint; one that says nothing is removed. */
export function keepHint({ method, username }: Hint): string {
  const isEmpty = method === null && username === null
  return setCookie('hint', isEmpty ? '' : `${method ?? ''}.${username ?? ''}`, isEmpty ? 0 : cookieSeconds)
}

export const forgetHint = () => keepHint({ method: null, username: null })

/** The hint after a sign-in. Another account's name goes: whoever signs in here now did not ask for that. */
export function hintAfterSignIn(before: Hint, method: Hint['method'], username: string): Hint {
  const isSame = before.username?.toLowerCase() === username.toLowerCase()
  return { method: method ?? before.method, username: isSame ? username : null }
}

/**
 * What `?forget` on a page does: the rest of its address. A GET may do this: another site that links here can only make
 * the browser forget what it shows.
 */
export function withoutForget(search: string): string | null {
  const parameters = new URLSearchParams(search)
  if (!parameters.has('forget')) return null
  parameters.delete('forget')
  return parameters.size > 0 ? `?${parameters}` : ''
}
