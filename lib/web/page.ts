import { describeAccount } from '@/lib/auth/account'
import { findSession } from '@/lib/auth/session'
import { settings } from '@/lib/data/settings'
import { readClient } from './client'

/** What is left of a type after a trip through JSON. */
type Serialized<T> = T extends Date ? string : T extends object ? { [K in keyof T]: Serialized<T[K]> } : T

/** The signed-in account as `/api/i` tells it, or null. This, not the proxy, is what guards a page. */
export async function currentAccount(headers: Headers): Promise<Serialized<ReturnType<typeof describeAccount>> | null> {
  const session = await findSession(readClient(headers).session)
  if (!session) return null
  // The same JSON that the endpoint answers, so that pages and other clients see one shape.
  return JSON.parse(JSON.stringify(describeAccount(session)))
}

/** What pages say of the site. */
export function siteInfo() {
  const { appName, origins, originConfigured } = settings()
  return { appName, origins: [...origins], originConfigured }
}

/**
 * Where to go on to: a path of our own, else the profile. A link to our sign-in page must not lead to another site after it
 * (CWE-601): `//host`, `/\host` and the like are other sites to a browser.
 */
export function safeNext(next: string | string[] | undefined): string {
  const base = 'http://here.invalid'
  if (typeof next !== 'string' || !/^\/(?![/\\])/.test(next) || !URL.canParse(next, base)) return '/profile'
  const url = new URL(next, base)
  return url.origin === base && !url.pathname.startsWith('//') ? url.pathname + url.search + url.hash : '/profile'
}
