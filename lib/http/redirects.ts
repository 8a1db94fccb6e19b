/**
 * The path to go to after signing in: `next` if it is a path of this site, otherwise the profile. Open redirects (CWE-601):
 * browsers take `//host` and `/\\host` for other sites.
 */
export function safeRedirect(next: string | string[] | undefined): string {
  const base = 'http://here.invalid'
  if (typeof next !== 'string' || !/^\/(?![/\\])/.test(next) || !URL.canParse(next, base)) return '/profile'
  const url = new URL(next, base)
  return url.origin === base && !url.pathname.startsWith('//') ? url.pathname + url.search + url.hash : '/profile'
}
