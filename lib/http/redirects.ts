import { settings } from '@/lib/settings/settings'

/**
 * `next` if it is a path of this site or an address of an app in CLIENT_ORIGINS, else /profile: no open redirect
 * (CWE-601). Browsers take `//host` and `/\\host` for other sites.
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

export const afterSignIn = (next: string | string[] | undefined): string =>
  next === undefined ? (settings().homeUrl ?? '/profile') : safeRedirect(next)

export const afterSignUp = (next: string | string[] | undefined): string =>
  next === undefined ? '/welcome' : safeRedirect(next)

/**
 * Compares text up to the end of the origin, so that what parsers disagree about (`https:/\\host`, `host@evil`,
 * `host.evil`, tabs, custom schemes) is never parsed.
 */
function appAddress(next: string): { href: string; origin: string } | null {
  const origin = settings().clientOrigins.find(
    (known) => next.startsWith(known) && /^([/?#]|$)/.test(next.slice(known.length)),
  )
  return origin !== undefined && URL.canParse(next) ? { href: new URL(next).href, origin } : null
}

/** Renews an app's access cookie on the way, by /api/access. `next` comes from `safeRedirect` or `afterSignIn`. */
export function redirectSignedIn(next: string): string {
  const app = appAddress(next)
  return app && settings().accessCookie?.origins.includes(app.origin) ? accessPath(next) : next
}

export const accessPath = (next: string) => `/api/access?${new URLSearchParams({ next })}`
