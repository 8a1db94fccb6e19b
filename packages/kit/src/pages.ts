import { inDevelopment, type SetupError } from './settings.js'

/** Where a sign-in ends that did not succeed. `details` are the developer's: shown in development, logged in production. */
export function failurePage(status: number, text: string, details: readonly string[] = []): Response {
  for (const detail of details) log(detail)
  const shown = inDevelopment() ? details : []
  const body = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Sign-in</title>
<style>body { font: 1rem/1.5 system-ui; max-width: 40rem; margin: 4rem auto; padding: 0 1rem; color-scheme: light dark; overflow-wrap: anywhere }</style>
<h1>${escapeHtml(text)}</h1>
${shown.map((detail) => `<p>${escapeHtml(detail)}</p>`).join('\n')}
<p><a href="/auth/sign-in">Sign in again</a> or <a href="/">go to the start page</a>.</p>
`
  return new Response(body, {
    status,
    headers: {
      ...noStore,
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy':
        "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      'Referrer-Policy': 'no-referrer',
      'X-Content-Type-Options': 'nosniff',
    },
  })
}

export const setupPage = (error: SetupError) => failurePage(500, 'Sign-in is not set up', error.sentences)

/** A response that depends on who is signed in belongs into no cache. */
export const noStore = { 'Cache-Control': 'private, no-store' }

/** What tells caches to keep a response: those of CDNs alone win over Cache-Control (RFC 9213). */
export const isForCaches = (header: string) =>
  /^(cache-control|surrogate-control|(.+-)?cdn-cache-control)$/i.test(header)

/** For a response that sets a person's cookies, whatever the app says of it: a shared cache would hand their session to others. */
export function keepFromCaches(headers: Headers): void {
  for (const name of [...headers.keys()]) if (isForCaches(name)) headers.delete(name)
  headers.set('Cache-Control', noStore['Cache-Control'])
}

export const json = (body: unknown, status = 200, headers: Record<string, string> = {}) =>
  Response.json(body, { status, headers: { ...noStore, ...headers } })

/** An absolute location: browsers read a path such as `/.//example.com` as another host's. */
export function redirect(location: string, cookies: readonly string[] = [], status = 303): Response {
  const response = new Response(null, { status, headers: { ...noStore, Location: location } })
  for (const cookie of cookies) response.headers.append('Set-Cookie', cookie)
  return response
}

/** One line, whatever an answer of somebody else had in it. */
export const log = (sentence: string) => console.error(`latchkey-kit: ${sentence.replace(/\p{Cc}+/gu, ' ')}`)

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (character) => escapes[character] ?? '')
