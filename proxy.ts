import { randomBytes } from 'node:crypto'
import { type NextRequest, NextResponse } from 'next/server'
import { readToken } from '@/lib/auth/tokens'
import { readCookie } from '@/lib/http/cookies'
import { securityHeaders } from '@/lib/http/security-headers'
import { settings } from '@/lib/settings/settings'

/** Pages for signed-in people. */
const gated = ['/profile', '/passkeys']

/**
 * Runs before every page: sends visitors without a session to the sign-in page and gives the answer its headers. A courtesy
 * only, which reads no database: the pages themselves are the guard.
 */
export async function proxy(request: NextRequest): Promise<NextResponse> {
  const headers = securityHeaders(randomBytes(16).toString('base64'), settings().secureCookies, isDevelopment)
  const response = (await signInFirst(request)) ?? goOn(request, headers)
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value)
  return response
}

const isDevelopment = process.env.NODE_ENV === 'development'

async function signInFirst({ nextUrl, headers }: NextRequest): Promise<NextResponse | null> {
  if (!gated.some((path) => nextUrl.pathname === path || nextUrl.pathname.startsWith(`${path}/`))) return null
  const token = readCookie(headers, 'session')
  if (token !== null && (await readToken('session', token))) return null
  const signIn = nextUrl.clone()
  signIn.pathname = '/signin'
  signIn.search = `?${new URLSearchParams({ next: nextUrl.pathname + nextUrl.search })}`
  return NextResponse.redirect(signIn)
}

/** Next takes the nonce for its own scripts from the policy in the request's headers. */
function goOn(request: NextRequest, headers: Record<string, string>): NextResponse {
  const forwarded = new Headers(request.headers)
  forwarded.set('Content-Security-Policy', headers['Content-Security-Policy'] ?? '')
  return NextResponse.next({ request: { headers: forwarded } })
}

export const config = {
  // Pages only: a path with a dot is a file.
  matcher: ['/((?!api/|_next/|.*\\.).*)'],
}
