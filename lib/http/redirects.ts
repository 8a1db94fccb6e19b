import { settings } from '@/lib/settings/settings'

/**
 * Where to go after signing in: `next` if it is a path of this site or an address of an app in CLIENT_ORIGINS, otherwise the
 * profile. Open redirects (CWE-601): browsers take `//host` and `/\\host` for other sites.
 */
export function safeRedirect(next: string | string[] | undefined): string {
  const base = 'http://here.invalid'
  if (typeof next !== 'string') return '/profile'
  const app = appAddress(next)
  if (app) return app.href
  if (!/^\/(?![/\\])/.test(next) || !URL.canParse(next, base)) return '/profile'
  const url = new URL(next, base)
  return url.origin === base && !url.pathname.startsWith('//') ? url.pathname + url.search + url.hash : '/profile'
}

/** The same on the sign-in page, where a person who gives no `next` goes on to HOME_URL. */
export const afterSignIn = (next: string | string[] | undefined): string =>
  next === undefined ? (settings().homeUrl ?? '/profile') : safeRedirect(next)

/** The same after signing up: a person who gives no `next` is told what was made. */
export const afterSignUp = (next: string | string[] | undefined): string =>
  next === undefined ? '/welcome' : safeRedirect(next)

/**
 * An address of an app. It is compared as text up to the end of the origin: what parsers disagree about (`https:/\\host`,
 * `host@evil`, `host.evil`, tabs, custom schemes) never gets as far as being parsed.
 */
function appAddress(next: string): { href: string; origin: string } | null {
  const origin = settings().clientOrigins.find(
    (known) => next.startsWith(known) && /^([/?#]|$)/.test(next.slice(known.length)),
  )
  return origin !== undefined && URL.canParse(next) ? { href: new URL(next).href, origin } : null
}

/**
 * The same for a person who is signed in already: an app that relies on the access cookie is reached by way of
 * /api/access, which renews it.
 *
 * @param next as `safeRedirect` or `afterSignIn` returned it
 */
export function redirectSignedIn(next: string): string {
  const app = appAddress(next)
  return app && settings().accessCookie?.origins.includes(app.origin) ? accessPath(next) : next
}

/** Where a browser gets an access cookie on its way to an app. */
export const accessPath = (next: string) => `/api/access?${new URLSearchParams({ next })}`
