import { ApiError } from '@/lib/api/errors'
import { identify } from '@/lib/auth/sessions/identify'
import { findSession } from '@/lib/auth/sessions/sessions'
import { issueAccessCookie } from '@/lib/auth/tokens/access-cookie'
import { settings } from '@/lib/settings/settings'
import type { Call } from '../call'
import { readAccessCookie, readCookie } from '../cookies'
import { accessPath, safeRedirect } from '../redirects'
import { readBearer } from '../request-context'
import { WithHeaders } from '../response'
import { accessCookieHeaders } from '../session-response'

/** Identifies the caller to a reverse proxy, or redirects to /api/access. Any origin may call: it changes nothing. */
export async function forwardAuth({ headers }: Request): Promise<Response> {
  const app = requestedApp(headers)
  const credentials = {
    bearer: readBearer(headers),
    session: readCookie(headers, 'session'),
    access: readAccessCookie(headers),
  }
  const identity = await identify(credentials, app?.origin ?? null)
  if (identity) {
    const { id, username, method } = identity
    return new Response(null, { headers: { 'Remote-User': username, 'Remote-User-Id': id, 'Remote-Method': method } })
  }
  const { accessCookie, origins } = settings()
  const isPage = headers.get('Accept')?.includes('text/html')
  // Any other host would be an open redirect by way of a header.
  if (!isPage || !app?.path || !accessCookie?.origins.includes(app.origin)) throw new ApiError('not_signed_in')
  return redirect(origins[0] + accessPath(app.origin + app.path))
}

/** What the proxy protects, if it says so: Next copies Host to X-Forwarded-Host, which alone means nothing. */
function requestedApp(headers: Headers): { origin: string; path: string | null } | null {
  const [host, uri] = [headers.get('X-Forwarded-Host'), headers.get('X-Forwarded-Uri')]
  if (host === null || (uri === null && host === headers.get('Host'))) return null
  const isHost = /^[\w.-]+(:\d+)?$/.test(host) && URL.canParse(`https://${host}`)
  const isPath = uri !== null && /^\/(?!\/)/.test(uri)
  return { origin: isHost ? new URL(`https://${host}`).origin : '', path: isPath ? uri : null }
}

/** Renews the access cookie on the way to an app, or redirects to the sign-in page, which leads back here. */
export async function access({ query, context }: Call): Promise<WithHeaders<null>> {
  const given = query.getAll('next')
  const next = safeRedirect(given.length === 1 ? given[0] : given)
  const session = await findSession(context.session)
  if (!session) return new WithHeaders(null, [['Location', `/signin?${new URLSearchParams({ next })}`]])
  const cookie = accessCookieHeaders(await issueAccessCookie(session.claims))
  return new WithHeaders(null, [['Location', next], ...cookie])
}

/** 303 keeps browsers from sending a form again to another address. */
const redirect = (location: string) => new Response(null, { status: 303, headers: { Location: location } })
