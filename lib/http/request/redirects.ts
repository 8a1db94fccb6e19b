import { withNext } from '@/lib/api/urls'
import { settings } from '@/lib/settings/settings'

/** The parameter `next` of a page: a list if it is repeated. */
export type Next = string | string[] | undefined

/**
 * Returns `next` if it is a path of this site or belongs to CLIENT_ORIGINS, else /profile, so that no link leads people to a
 * stranger's site by way of ours (open redirect, CWE-601). Browsers take `//host` and `/\host` for other sites.
 */
export function safeNext(next: Next): string {
  const base = 'http://here.invalid'
  if (typeof next !== 'string') return '/profile'
  const app = appUrl(next)
  if (app) return app.href
  if (!/^\/(?![/\\])/.test(next) || !URL.canParse(next, base)) return '/profile'
  const url = new URL(next, base)
  return url.origin === base && !url.pathname.startsWith('//') ? url.pathname + url.search + url.hash : '/profile'
}

export const afterSignIn = (next: Next): string =>
  next === undefined ? (settings().homeUrl ?? '/profile') : safeNext(next)

/** Our pages that show notices themselves, or lead to them. */
const ownStops = ['/profile', '/welcome', '/notices', '/secure']

const withoutQuery = (next: string) => next.split(/[?#]/, 1)[0] ?? ''

const isOwnStop = (next: string) => ownStops.includes(withoutQuery(next))

/** Leads by way of /notices, which goes on at once if there are none. */
export function afterSignInViaNotices(next: Next): string {
  const destination = afterSignIn(next)
  if (isOwnStop(destination)) return destination
  return next === undefined ? '/notices' : withNext('/notices', destination)
}

/** Leads by way of /welcome, a summary of the new account. */
export function afterSignUp(next: Next): string {
  const destination = safeNext(next)
  return isOwnStop(destination) ? '/welcome' : withNext('/welcome', destination)
}

/** Never returns the page itself, which might lead on to itself forever. */
export function destinationFrom(page: string, next: Next): string {
  const destination = afterSignIn(next)
  return withoutQuery(destination) === page ? '/profile' : destination
}

/** Finds the host of the app that `next` leads to; null for a path of this site. */
export function appHost(next: string): string | null {
  const app = appUrl(next)
  // A URL of a custom scheme may have no host.
  return (app && new URL(app.origin).host) || null
}

/** Compares text, because parsers disagree about `https:/\host`, `host@evil`, `host.evil`, tabs and custom schemes. */
function appUrl(next: string): { href: string; origin: string } | null {
  const origin = settings().clientOrigins.find(
    (known) => next.startsWith(known) && /^([/?#]|$)/.test(next.slice(known.length)),
  )
  return origin !== undefined && URL.canParse(next) ? { href: new URL(next).href, origin } : null
}

/** Leads by way of /api/access, which renews the app's access cookie. @param next from `safeNext` or `afterSignIn` */
export function viaAccessCookie(next: string): string {
  const app = appUrl(next)
  return app && settings().accessCookie?.origins.includes(app.origin) ? accessPath(next) : next
}

export const accessPath = (next: string) => withNext('/api/access', next)
