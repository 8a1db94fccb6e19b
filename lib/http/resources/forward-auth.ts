import { ApiError, errorStatus } from '@/lib/api/errors'
import { withNext } from '@/lib/api/urls'
import { isGroupName } from '@/lib/auth/account'
import { bearerOf } from '@/lib/auth/request'
import { findSession, identify } from '@/lib/auth/sessions/find'
import { issueAccessCookie } from '@/lib/auth/tokens/access-tokens'
import { wordsIn } from '@/lib/messages/catalogues'
import { settings } from '@/lib/settings/settings'
import { proxiedHost } from '../request/addresses'
import type { Call } from '../request/context'
import { readAccessCookie, readCookie } from '../request/cookies'
import { longestTarget, searchOf } from '../request/head'
import { localeOf } from '../request/language'
import { accessPath, safeNext } from '../request/redirects'
import { plainPage } from '../response/plain-page'
import { type Answer, seeOther, WithHeaders } from '../response/result'
import { accessCookieHeaders } from '../response/sessions'

/**
 * Tells a reverse proxy who the caller is, or redirects to /api/access. With `?group=`, only members of one of these groups
 * pass. Any origin may call, since the call changes nothing.
 *
 * @throws ApiError not_signed_in, not_allowed
 */
export async function forwardAuth({ url, headers }: Request): Promise<Answer> {
  const parameters = [...new URLSearchParams(searchOf(url))]
  // Rejects unknown parameters and malformed groups: a typing error must not open the app to everybody.
  if (!parameters.every(([name, value]) => name === 'group' && isGroupName(value))) return notAllowed(headers)
  const admitted = parameters.map(([, group]) => group)
  const app = requestedApp(headers)
  const credentials = {
    bearer: bearerOf(headers.get('Authorization')),
    session: readCookie(headers, 'session'),
    access: readAccessCookie(headers),
  }
  const identity = await identify(credentials, () => app && originOf(app))
  if (!identity) return signInFirst(headers, app)
  const { id, username, displayName, groups, method } = identity
  if (admitted.length > 0 && !groups.some((group) => admitted.includes(group))) return notAllowed(headers)
  return {
    status: 200,
    headers: [
      ['Remote-User', username],
      ['Remote-User-Id', id],
      ['Remote-Method', method],
      // Always set: where these were missing, a proxy could pass on what a client sends under their names.
      ['Remote-Groups', groups.join(',')],
      ['Remote-Name', displayName === null ? '' : asHeader(displayName)],
    ],
    body: null,
  }
}

/** Headers have ASCII alone (RFC 9110 section 5.5), so the other bytes of UTF-8, and the percent sign, are written as `%XX`. */
const asHeader = (text: string) =>
  Array.from(Buffer.from(text), (byte) =>
    byte >= 0x20 && byte <= 0x7e && byte !== 0x25
      ? String.fromCharCode(byte)
      : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`,
  ).join('')

/** @throws ApiError not_signed_in unless a browser asks for a page of an app that the access cookie is for */
function signInFirst(headers: Headers, app: ProxiedApp | null): Answer {
  const { accessCookie, origins } = settings()
  // Checks the origin, which X-Forwarded-Host names: else this would be an open redirect.
  const origin = wantsPage(headers) && app?.path ? originOf(app) : ''
  if (!accessCookie?.origins.includes(origin)) throw new ApiError('not_signed_in')
  const path = accessPath(origin + app?.path)
  return seeOther(origins[0] + (path.length <= longestTarget ? path : accessPath(`${origin}/`)))
}

const wantsPage = (headers: Headers) => headers.get('Accept')?.includes('text/html') === true

/** Says nothing about the person, because the browser shows the page at the app's URL. */
function notAllowed(headers: Headers): Answer {
  if (!wantsPage(headers)) throw new ApiError('not_allowed')
  const locale = localeOf(headers)
  const { title, text, account } = wordsIn(locale).notAllowed
  const link = { text: account, href: `${settings().origins[0]}/profile` }
  return plainPage(errorStatus.not_allowed, locale, { title, text, link })
}

interface ProxiedApp {
  host: string
  path: string | null
}

function requestedApp(headers: Headers): ProxiedApp | null {
  const host = proxiedHost(headers)
  const uri = headers.get('X-Forwarded-Uri')
  if (host === null) return null
  // The app's origin precedes the path, so nothing after the slash can lead to another site.
  return { host, path: uri?.startsWith('/') === true ? uri : null }
}

/** A malformed host has an empty origin, which no access cookie is for; null would accept a cookie for any app. */
const originOf = ({ host }: ProxiedApp): string =>
  (/^[\w.-]+(:\d+)?$/.test(host) && URL.parse(`https://${host}`)?.origin) || ''

/** Sets the access cookie and leads back to the app, or redirects to the sign-in page, which leads back here. */
export async function renewAccessCookie({ query, context }: Call): Promise<WithHeaders<null>> {
  const given = query.getAll('next')
  const next = safeNext(given.length === 1 ? given[0] : given)
  const session = await findSession(context.session)
  if (!session) return new WithHeaders(null, [['Location', withNext('/signin', next)]])
  const cookie = accessCookieHeaders(await issueAccessCookie(session.claims))
  return new WithHeaders(null, [['Location', next], ...cookie])
}
