import { type NextRequest, NextResponse } from 'next/server'
import {
  hiddenHeader,
  isAdminPath,
  isOwnPage,
  type Preparation,
  pageMethods,
  policyHeader,
  preparePage,
  protectedPages,
} from '@/lib/http/pages/prepare'
import { ownServerRuns } from '@/lib/process/own-server'

/** Pages that need a session. A fork adds its own here. */
const protectedPaths = [...protectedPages]

const isDevelopment = process.env.NODE_ENV === 'development'

/**
 * Runs before every page that server.ts has not prepared. Sets the security headers, rejects methods that our pages do not
 * take, and redirects visitors without a session to /signin.
 */
export async function proxy(request: NextRequest): Promise<NextResponse> {
  // server.ts has prepared it. On Vercel a client could send the header, and would see what is hidden.
  if (ownServerRuns() && request.headers.has(policyHeader)) return NextResponse.next()
  const { pathname: path, search } = request.nextUrl
  const hiding: Record<string, string> =
    isAdminPath(path) && (await hides(request.headers)) ? { [hiddenHeader]: '1' } : {}
  // As unknown paths with a dot, which get no headers from here.
  if (hiddenHeader in hiding && path.includes('.')) return forwardToPage(request, hiding)
  const prepared = await preparePage({ path, search, headers: request.headers }, protectedPaths, isDevelopment)
  const { headers, cookies, redirection, forNext } = prepared
  const response =
    rejectMethod(request) ?? redirect(request, redirection) ?? forwardToPage(request, { ...forNext, ...hiding })
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value)
  for (const cookie of cookies) response.headers.append('Set-Cookie', cookie)
  return response
}

function rejectMethod({ method, nextUrl }: NextRequest): NextResponse | null {
  if (!isOwnPage(nextUrl.pathname) || pageMethods.includes(method)) return null
  return new NextResponse(null, { status: 405, headers: { Allow: pageMethods.join(', ') } })
}

function redirect({ nextUrl }: NextRequest, redirection: Preparation['redirection']): NextResponse | null {
  if (!redirection) return null
  // Not from a string: Next would take a path that begins with two slashes for another host.
  const target = Object.assign(nextUrl.clone(), { pathname: redirection.path, search: redirection.search })
  return NextResponse.redirect(target, redirection.status)
}

/** Loads what reads sessions only now. server.ts has asked already. */
async function hides(headers: Headers): Promise<boolean> {
  if (ownServerRuns()) return headers.has(hiddenHeader)
  const { hidesAdministration } = await import('@/lib/http/pages/administration')
  return hidesAdministration(headers)
}

function forwardToPage({ headers }: NextRequest, set: Record<string, string>): NextResponse {
  const forwarded = new Headers(headers)
  for (const [name, value] of Object.entries(set)) forwarded.set(name, value)
  return NextResponse.next({ request: { headers: forwarded } })
}

export const config = {
  matcher: [
    {
      // Matches pages only: paths with a dot are files, and logos have a policy of their own.
      source: '/((?!api/|brand/logo$|brand/logo-dark$|_next/|.*\\.).*)',
      // Skips requests that server.ts has prepared, by `policyHeader`, spelt out for Next's build. Where server.ts does not run, a
      // client that sends this header goes without ours by its own choice.
      missing: [{ type: 'header', key: 'content-security-policy' }],
    },
    // The name of a group may have a dot.
    { source: '/admin/:path*' },
  ],
}
