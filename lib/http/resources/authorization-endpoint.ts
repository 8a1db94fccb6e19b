import { randomBytes } from 'node:crypto'
import { countRejection } from '@/lib/auth/audit/counted-rejections'
import type { RequestContext } from '@/lib/auth/model/request-context'
import { errorSentence, wordsIn } from '@/lib/messages/catalogues'
import { fill } from '@/lib/messages/format/fill'
import type { Locale } from '@/lib/messages/locales'
import { shownUri } from '@/lib/openid/apps/refusals'
import { authorize } from '@/lib/openid/requests/authorize'
import { authorizationPath } from '@/lib/openid/requests/interaction'
import type { AuthorizationOutcome } from '@/lib/openid/requests/pending-request'
import { settings } from '@/lib/settings/settings'
import { searchOf } from '../request/request-target'
import { plainPage } from '../response/plain-page'
import { framePolicy, ownWindow } from '../response/security-headers'
import { seeOther } from '../response/see-other'
import { localeOf } from '../visitor/language'
import { formPostDocument } from './form-post-document'
import { repeatByGet, targetOf } from './openid-navigation'

export async function authorizationEndpoint(request: Request, context: RequestContext): Promise<Response> {
  const outcome = await authorize(new URLSearchParams(searchOf(request.url)), context)
  if (outcome.kind === 'unknown_app' || outcome.kind === 'unknown_redirect_uri')
    countRejection('invalid_request', context)
  return render(outcome, request)
}

export const repeatAuthorization = repeatByGet(authorizationPath)

function render(outcome: AuthorizationOutcome, { headers }: Request): Response {
  switch (outcome.kind) {
    case 'page': {
      const target = targetOf(outcome.path, outcome.uiLocales)
      return target === null ? tooLongPage(localeOf(headers)) : seeOther(target)
    }
    case 'response':
      return authorizationResponse(outcome, headers)
    default:
      return errorPage(outcome, localeOf(headers))
  }
}

/** The state or another parameter is too long for the way over the sign-in page. */
function tooLongPage(locale: Locale): Response {
  const { appRequest, site } = wordsIn(locale)
  const text = errorSentence(locale, 'payload_too_large')
  const detail = 'invalid_request: the request is too long'
  const page = plainPage(locale, { title: appRequest.title, text, detail, link: { text: site.home, href: '/' } })
  return new Response(page.html, { status: 400, headers: { ...page.headers, 'Referrer-Policy': 'no-referrer' } })
}

type Unanswerable = Exclude<AuthorizationOutcome, { kind: 'page' | 'response' }>

/** Of the link, which anybody may have written, it repeats the URI alone: the operator has to see which one the app sends. */
function detailOf(outcome: Unanswerable): string {
  if (outcome.kind === 'unknown_app') return 'invalid_request: unknown client_id'
  const { redirectUri } = outcome
  return `invalid_request: unregistered redirect_uri${redirectUri === null ? '' : ` ${shownUri(redirectUri)}`}`
}

function errorPage(outcome: Unanswerable, locale: Locale): Response {
  const { appRequest, site } = wordsIn(locale)
  const { title, unknownApp, unknownRedirectUri } = appRequest
  const { appName } = settings()
  const text = fill(locale, outcome.kind === 'unknown_app' ? unknownApp : unknownRedirectUri, { app: appName })
  const { html, headers } = plainPage(locale, {
    title,
    text,
    detail: detailOf(outcome),
    link: { text: site.home, href: '/' },
  })
  return new Response(html, { status: 400, headers: { ...headers, 'Referrer-Policy': 'no-referrer' } })
}

/** Always with `iss`, so that an app of several servers knows whose response it is (RFC 9207). */
function authorizationResponse(
  { redirectUri, mode, parameters }: Extract<AuthorizationOutcome, { kind: 'response' }>,
  headers: Headers,
): Response {
  const all = new URLSearchParams({ ...parameters, iss: settings().origins[0] })
  if (mode === 'form_post') return formPost(redirectUri, all, localeOf(headers))
  return seeOther(`${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${all}`)
}

function formPost(action: string, parameters: URLSearchParams, locale: Locale): Response {
  const nonce = randomBytes(16).toString('base64')
  const policy = `default-src 'none'; script-src 'nonce-${nonce}'; form-action ${sourceOf(action)}; base-uri 'none'`
  const headers = {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': `${policy}; ${framePolicy}`,
    ...ownWindow,
    'Referrer-Policy': 'no-referrer',
  }
  return new Response(formPostDocument({ action, parameters, nonce, policy, locale }), { headers })
}

/** The scheme, where a policy cannot name the origin: the grammar has no IPv6 literals (CSP level 3, section 2.3.1). */
const sourceOf = (uri: string) =>
  /^https?:\/\/[^[]/.test(uri) ? new URL(uri).origin : uri.slice(0, uri.indexOf(':') + 1)
