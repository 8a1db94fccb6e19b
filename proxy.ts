import { randomBytes } from 'node:crypto'
import { type NextRequest, NextResponse } from 'next/server'
import { readToken } from '@/lib/auth/tokens'
import { forgetEnding, readEnding, tellsEnding } from '@/lib/http/arrival'
import { chooseLanguage } from '@/lib/http/choose-language'
import { readCookie } from '@/lib/http/cookies'
import { forgetHint, withoutForget } from '@/lib/http/hint'
import { localeOf } from '@/lib/http/language'
import { isOwnPage, pageMethods } from '@/lib/http/own-pages'
import { securityHeaders } from '@/lib/http/security-headers'
import { settings } from '@/lib/settings/settings'

/** Pages that need a session. */
const protectedPaths = ['/welcome', '/profile', '/passkeys']

/**
 * Runs before every page: sets the security headers, rejects methods that our pages do not take, and redirects visitors
 * without a session to /signin. It reads no database, so it is a convenience only: the pages check access themselves.
 */
export async function proxy(request: NextRequest): Promise<NextResponse> {
  const headers = securityHeaders({
    nonce: randomBytes(16).toString('base64'),
    secure: settings().secureCookies,
    development: isDevelopment,
    imageOrigins: settings().logoOrigins,
  })
  const response =
    rejectMethod(request) ??
    redirectToLanguage(request) ??
    redirectForgotten(request) ??
    (await redirectToSignIn(request)) ??
    forwardToPage(request, headers)
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value)
  // Said once: not again when the page is reloaded or gone back to.
  if (saysEnding(request)) response.headers.append('Set-Cookie', forgetEnding())
  return response
}

function rejectMethod({ method, nextUrl }: NextRequest): NextResponse | null {
  if (!isOwnPage(nextUrl.pathname) || pageMethods.includes(method)) return null
  return new NextResponse(null, { status: 405, headers: { Allow: pageMethods.join(', ') } })
}

const isDevelopment = process.env.NODE_ENV === 'development'

async function redirectToSignIn({ nextUrl, headers }: NextRequest): Promise<NextResponse | null> {
  if (!protectedPaths.some((path) => nextUrl.pathname === path || nextUrl.pathname.startsWith(`${path}/`))) return null
  const token = readCookie(headers, 'session')
  if (token !== null && (await readToken('session', token))) return null
  const signIn = nextUrl.clone()
  signIn.pathname = '/signin'
  signIn.search = `?${new URLSearchParams({ next: nextUrl.pathname + nextUrl.search })}`
  return NextResponse.redirect(signIn)
}

/** To the same page, in the language that was chosen. */
function redirectToLanguage({ nextUrl }: NextRequest): NextResponse | null {
  const choice = chooseLanguage(nextUrl.search)
  return choice && redirectWithCookie(nextUrl, choice.search, choice.cookie)
}

/** To the same page, after what this browser kept of its last sign-in was removed. */
function redirectForgotten({ nextUrl }: NextRequest): NextResponse | null {
  const search = withoutForget(nextUrl.search)
  return search === null || !isOwnPage(nextUrl.pathname) ? null : redirectWithCookie(nextUrl, search, forgetHint())
}

function redirectWithCookie(url: NextRequest['nextUrl'], search: string, cookie: string): NextResponse {
  const page = url.clone()
  page.search = search
  const headers = { 'Set-Cookie': cookie, 'Cache-Control': 'no-store' }
  return NextResponse.redirect(page, { status: 303, headers })
}

/** Whether the page shows what ended the session. */
const saysEnding = ({ nextUrl: { pathname, searchParams }, headers }: NextRequest) =>
  ['/', '/signin'].includes(pathname) && tellsEnding(searchParams.get('next')) && readEnding(headers) !== null

/** Next reads the nonce for its scripts from the policy in the request headers. */
function forwardToPage(request: NextRequest, headers: Record<string, string>): NextResponse {
  const forwarded = new Headers(request.headers)
  forwarded.set('Content-Security-Policy', headers['Content-Security-Policy'] ?? '')
  return NextResponse.next({
    request: { headers: forwarded },
    headers: { 'Content-Language': localeOf(request.headers) },
  })
}

export const config = {
  // Pages only: paths with a dot are files, and logos have a policy of their own.
  matcher: ['/((?!api/|brand/logo$|brand/logo-dark$|_next/|.*\\.).*)'],
}
