import { randomBytes } from 'node:crypto'
import { ApiError } from '@/lib/api/errors'
import { authorizationPath } from '@/lib/api/names'
import { OAuthError } from '@/lib/api/oauth-errors'
import { countRejection } from '@/lib/auth/events/counted-rejections'
import type { RequestContext } from '@/lib/auth/request'
import { errorSentence, wordsIn } from '@/lib/messages/catalogues'
import { escapeHtml, fill } from '@/lib/messages/format/text'
import { type Locale, languageOf } from '@/lib/messages/locales'
import { isOnDevice, redirectUriFault } from '@/lib/openid/apps/redirect-uris'
import { shownUri } from '@/lib/openid/apps/refusals'
import { logout, logoutPath } from '@/lib/openid/logout'
import { authorize } from '@/lib/openid/requests/authorize'
import type { AuthorizationOutcome } from '@/lib/openid/requests/interaction'
import { soleValue } from '@/lib/openid/requests/parameters'
import { settings } from '@/lib/settings/settings'
import { isForm, readBytes } from '../request/body'
import { longestTarget, searchOf } from '../request/head'
import { localeOf } from '../request/language'
import { framePolicy } from '../response/headers'
import { plainPage, policyElement } from '../response/plain-page'
import { type Answer, html, seeOther } from '../response/result'
import { afterLogoutPath, signedOutHeaders } from '../response/sessions'

export async function authorizationEndpoint(request: Request, context: RequestContext): Promise<Answer> {
  const outcome = await authorize(new URLSearchParams(searchOf(request.url)), context)
  if (outcome.kind === 'unknown_app' || outcome.kind === 'unknown_redirect_uri')
    countRejection('invalid_request', context)
  return render(outcome, request)
}

function render(outcome: AuthorizationOutcome, { headers, url }: Request): Answer {
  switch (outcome.kind) {
    case 'page': {
      const target = targetOf(outcome.path, outcome.uiLocales)
      return target === null ? tooLongPage(localeOf(headers)) : seeOther(target)
    }
    case 'response':
      return authorizationResponse(outcome, headers)
    default:
      return errorPage(outcome, localeOf(headers), new URLSearchParams(searchOf(url)))
  }
}

/** Adds `iss`, so that an app that uses several servers knows which one responds (RFC 9207). */
function authorizationResponse(
  { redirectUri, mode, parameters }: Extract<AuthorizationOutcome, { kind: 'response' }>,
  headers: Headers,
): Answer {
  const all = new URLSearchParams({ ...parameters, iss: settings().origins[0] })
  if (mode === 'form_post') return formPost(redirectUri, all, localeOf(headers))
  return seeOther(`${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${all}`)
}

function formPost(action: string, parameters: URLSearchParams, locale: Locale): Answer {
  const nonce = randomBytes(16).toString('base64')
  const policy = `default-src 'none'; script-src 'nonce-${nonce}'; form-action ${sourceOf(action)}; base-uri 'none'`
  return html(formPostDocument({ action, parameters, nonce, policy, locale }), `${policy}; ${framePolicy}`)
}

interface FormPost {
  action: string
  parameters: URLSearchParams
  nonce: string
  policy: string
  locale: Locale
}

/** A page that sends the authorization response to the app at once (OAuth 2.0 Form Post Response Mode section 2). */
function formPostDocument({ action, parameters, nonce, policy, locale }: FormPost): string {
  const fields = [...parameters].map(
    ([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`,
  )
  // Without JavaScript, the person submits the form.
  const next = escapeHtml(wordsIn(locale).appRequest.next)
  const button = `<noscript><button>${next}</button></noscript>`
  const form = `<form method="post" action="${escapeHtml(action)}">${fields.join('')}${button}</form>`
  const script = `<script nonce="${nonce}">document.forms[0].submit()</script>`
  const opening = `<html lang="${locale}" dir="${languageOf(locale).direction}">`
  // Avoids a flash of white in the dark, and a tiny button on a phone.
  const look = '<meta name="color-scheme" content="light dark"><meta name="viewport" content="width=device-width">'
  const head = `<meta charset="utf-8">${policyElement(policy)}${look}<title>${next}</title>`
  return `<!doctype html>${opening}${head}${form}${script}</html>`
}

/** The origin; or the scheme where a policy cannot name the origin, as of IPv6 literals (CSP level 3, section 2.3.1). */
const sourceOf = (uri: string) =>
  /^https?:\/\/[^[]/.test(uri) ? new URL(uri).origin : uri.slice(0, uri.indexOf(':') + 1)

type Unanswerable = Exclude<AuthorizationOutcome, { kind: 'page' | 'response' }>

function errorPage(outcome: Unanswerable, locale: Locale, asked: URLSearchParams): Answer {
  const { appRequest, site } = wordsIn(locale)
  const { title, unknownApp, unknownRedirectUri } = appRequest
  const { appName } = settings()
  const text = fill(locale, outcome.kind === 'unknown_app' ? unknownApp : unknownRedirectUri, { app: appName })
  return plainPage(400, locale, {
    title,
    text,
    detail: `${detailOf(outcome)}${remedyOf(outcome, asked)}`,
    link: { text: site.home, href: '/' },
  })
}

/**
 * Repeats the redirect URI, because the operator has to see which one the app sends. Repeats nothing else of the link, which
 * anybody may have written.
 */
function detailOf(outcome: Unanswerable): string {
  if (outcome.kind === 'unknown_app') return `invalid_request: ${outcome.fault ?? 'unknown client_id'}`
  const { redirectUri } = outcome
  return `invalid_request: unregistered redirect_uri${redirectUri === null ? '' : ` ${shownUri(redirectUri)}`}`
}

/** Addresses and client ids that mean nothing to a shell, because somebody will copy the command. */
const plainUri = /^[\w:/.[\]~%-]+$/
const plainId = /^[A-Za-z\d][\w.-]{0,63}$/

/** What whoever develops an app on this device does about it. An address elsewhere is a matter for its operators. */
function remedyOf(outcome: Unanswerable, asked: URLSearchParams): string {
  const redirectUri = soleValue(asked, 'redirect_uri') ?? ''
  const id = soleValue(asked, 'client_id') ?? ''
  const isDeveloped = /^https?:/.test(redirectUri) && isOnDevice(redirectUri) && redirectUriFault(redirectUri) === null
  if (!isDeveloped || !plainUri.test(redirectUri) || !plainId.test(id)) return ''
  const command =
    outcome.kind === 'unknown_app'
      ? `app add ${id} ${redirectUri} --id ${id}`
      : `app change id:${id} --redirect-uri ${redirectUri} (which replaces its others)`
  return `. Register it in latchkey.json, or run: npm run accounts -- ${command}`
}

/** Says that the request is too long to come back from the sign-in page, for example because of its `state`. */
function tooLongPage(locale: Locale): Answer {
  const { appRequest, site } = wordsIn(locale)
  const text = errorSentence(locale, 'payload_too_large')
  const detail = 'invalid_request: the request is too long'
  return plainPage(400, locale, { title: appRequest.title, text, detail, link: { text: site.home, href: '/' } })
}

export async function logoutEndpoint(request: Request, context: RequestContext): Promise<Answer> {
  const outcome = await logout(new URLSearchParams(searchOf(request.url)), context)
  if (outcome.kind === 'confirmation') {
    const target = targetOf(outcome.path, outcome.uiLocales)
    if (target === null) throw new OAuthError('invalid_request', 'The request is too long.')
    return seeOther(target)
  }
  const { ended, returnTo } = outcome
  return seeOther(returnTo ?? afterLogoutPath, signedOutHeaders({ ended, showsMessage: returnTo === null }))
}

/** Where to find one of our pages; null if its URL would be too long for the next request. */
function targetOf(path: string, uiLocales: string[]): string | null {
  const target = withUiLocales(path, uiLocales)
  return target.length <= longestTarget ? target : null
}

/** Adds to a path that has a query the app's languages, for the pages of this request. */
const withUiLocales = (path: string, uiLocales: string[]): string =>
  uiLocales.length === 0 ? path : `${path}&${new URLSearchParams({ ui_locales: uiLocales.join(' ') })}`

/** The longest form: it becomes a URL, and servers accept none that is longer. */
const longestForm = 8 * 1024

/** Redirects a form to the same request by GET, which sends our Lax cookies; another site's form sends none. */
const repeatByGet = (path: typeof authorizationPath | typeof logoutPath) => async (request: Request) => {
  if (!isForm(request)) throw new ApiError('unsupported_media_type')
  const bytes = await readBytes(request)
  if (bytes.length > longestForm) throw new ApiError('payload_too_large')
  const target = `${path}?${new URLSearchParams(new TextDecoder().decode(bytes))}`
  // Checks once more, because percent-encoding can make three characters of one.
  if (target.length > longestTarget) throw new ApiError('payload_too_large')
  // The GET rejects repeated parameters.
  return seeOther(target)
}

export const repeatAuthorization = repeatByGet(authorizationPath)

export const repeatLogout = repeatByGet(logoutPath)
