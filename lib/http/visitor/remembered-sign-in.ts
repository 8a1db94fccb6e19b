import { maxCookieSeconds } from '@/lib/api/cookies'
import { limits } from '@/lib/api/limits'
import type { RememberedSignIn } from '@/lib/api/remembered-sign-in'
import { readCookie, serializeCookie } from '../request/cookies'
import type { ReadableHeaders } from '../request/node-headers'

const { min, max, characters } = limits.username
const format = new RegExp(`^(passkey|password|)\\.((?:[${characters}-]{${min},${max}})?)$`)

export function readRememberedSignIn(headers: ReadableHeaders): RememberedSignIn {
  const [, method, username] = format.exec(readCookie(headers, 'hint') ?? '') ?? []
  return { method: method === 'passkey' || method === 'password' ? method : null, username: username || null }
}

export const noRememberedSignIn: RememberedSignIn = { method: null, username: null }

/** Without method and username it removes the cookie `hint`. */
export function rememberedSignInCookie({ method, username }: RememberedSignIn): string {
  const isEmpty = method === null && username === null
  return serializeCookie('hint', isEmpty ? '' : `${method ?? ''}.${username ?? ''}`, isEmpty ? 0 : maxCookieSeconds)
}

/** Drops another account's name: the person who signs in now did not choose to remember it. */
export function rememberedAfterSignIn(
  before: RememberedSignIn,
  method: RememberedSignIn['method'],
  username: string,
): RememberedSignIn {
  const isSame = before.username?.toLowerCase() === username.toLowerCase()
  return { method: method ?? before.method, username: isSame ? username : null }
}
