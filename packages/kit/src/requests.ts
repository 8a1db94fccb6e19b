import { failurePage, json, redirect } from './pages.js'

/* What a request wants, and whence it comes. */

/**
 * Where to go after the sign-in: a path of this app, else `/`. Browsers take `//` and `/\` for another host's, and drop tabs and
 * line breaks before they look.
 */
export function safeNext(next: string | null | undefined): string {
  return next && new TextEncoder().encode(next).length <= 2000 && /^\/(?![/\\])[^\\\p{Cc}]*$/u.test(next) ? next : '/'
}

/** Browsers say that they only prepare; so does Next's router, which also fetches pages in its own form (`RSC`). */
export function isPrefetch({ headers, url }: Request): boolean {
  const purpose = `${headers.get('sec-purpose') ?? ''} ${headers.get('purpose') ?? ''} ${headers.get('x-moz') ?? ''}`
  return (
    /\b(prefetch|prerender|preview)\b/i.test(purpose) ||
    headers.has('next-router-prefetch') ||
    headers.has('rsc') ||
    new URL(url).searchParams.has('_rsc')
  )
}

/** The way to the sign-in and back. */
export const signInPath = (next: string | null | undefined) =>
  `/auth/sign-in?${new URLSearchParams({ next: safeNext(next) })}`

/** A page leads to the sign-in, a call of an API learns it in JSON. */
export function notSignedIn(request: Request): Response {
  if (!isForPage(request)) return json({ error: 'not_signed_in' }, 401)
  const { pathname, search } = new URL(request.url)
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  // What was posted is lost: the person comes back to the page that has the form.
  return redirect(signInPath(isRead ? pathname + search : refererPath(request)))
}

/** The path of the page from which a request comes, if it is one of the same host. */
export function refererPath(request: Request): string | null {
  const referer = request.headers.get('referer') ?? ''
  if (!URL.canParse(referer)) return null
  const { host, pathname, search } = new URL(referer)
  return host === (request.headers.get('host') ?? new URL(request.url).host) ? pathname + search : null
}

export const notInGroup = (request: Request, group: string) =>
  isForPage(request) ? forbiddenPage() : json({ error: 'not_in_group', group }, 403)

export const forbiddenPage = () => failurePage(403, 'Your account may not open this page')

/** Whether a person waits for a page. Browsers say so; from others, such as curl, a path below `/api/` is a call. */
function isForPage({ headers, method, url }: Request): boolean {
  const mode = headers.get('sec-fetch-mode')
  if (mode !== null) return mode === 'navigate'
  if (new URL(url).pathname.startsWith('/api/') || headers.has('authorization')) return false
  const accept = headers.get('accept') ?? '*/*'
  return accept.includes('text/html') || (accept.includes('*/*') && (method === 'GET' || method === 'HEAD'))
}

/**
 * Whether a page of this app sends the request: the form on another's page would sign people out. Browsers say so in
 * Sec-Fetch-Site, older ones in Origin; what sends neither is no browser, and has no cookies that somebody else could use.
 */
export function isFromHere(request: Request, origin: string): boolean {
  const site = request.headers.get('sec-fetch-site')
  if (site !== null) return site === 'same-origin' || site === 'none'
  const sender = request.headers.get('origin')
  return sender === null || sender === origin
}

/** Characters of a body that is read; a logout token has a few hundred. */
export const mostBody = 65_536

/** Null for a body that is longer, of which no more is read. */
export async function textOf(request: Request): Promise<string | null> {
  const reader = request.body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true as const, value: undefined }
    if (done) return text
    text += value
    if (text.length > mostBody) {
      await reader?.cancel()
      return null
    }
  }
}
