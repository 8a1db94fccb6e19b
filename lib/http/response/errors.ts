import { ApiError, errorStatus, type FieldError, isApiError } from '@/lib/api/errors'
import { isOAuthError, OAuthError, oauthCodeOf, oauthErrorStatus } from '@/lib/api/oauth-errors'
import { isUnavailable } from '@/lib/database/errors'
import { reportUnavailable } from '@/lib/database/write-probe'
import { errorSentence, fieldSentence } from '@/lib/messages/catalogues'
import type { Locale } from '@/lib/messages/locales'
import { log } from '@/lib/process/log'
import type { ReadableHeaders } from '../request/head'
import { localeOf } from '../request/language'
import type { Header } from './headers'
import { type Answer, json } from './result'

/** Makes the answer to an error of a request with these headers. */
export type RenderError = (error: unknown, headers: ReadableHeaders, requestId: string) => Answer

/** Makes our JSON, in the visitor's language. Any error but an ApiError is a bug, whose cause goes to the log only. */
export const errorAnswer: RenderError = (error, headers, requestId) => {
  const locale = localeOf(headers)
  const { code, details } = toApiError(error, requestId)
  const { fields, retryAfter } = details
  const body = {
    error: errorSentence(locale, code),
    code,
    ...(fields && { fields: inSentences(fields, locale) }),
    ...(retryAfter && { retryAfter }),
  }
  return json(body, { status: errorStatus[code], headers: [['Content-Language', locale], ...headersOf(details)] })
}

const headersOf = ({
  retryAfter,
  allow,
}: {
  retryAfter?: number | undefined
  allow?: readonly string[] | undefined
}) => [
  ...(retryAfter ? [['Retry-After', String(retryAfter)] satisfies Header] : []),
  ...(allow ? [['Allow', allow.join(', ')] satisfies Header] : []),
]

const inSentences = (fields: Record<string, FieldError>, locale: Locale) =>
  Object.fromEntries(Object.entries(fields).map(([name, error]) => [name, fieldSentence(locale, error)]))

function toApiError(error: unknown, requestId: string): ApiError {
  if (isApiError(error)) return error
  if (isUnavailable(error)) {
    reportUnavailable(error, requestId)
    return new ApiError('unavailable', { retryAfter: 1 })
  }
  log().error({ requestId, err: error }, 'request failed')
  return new ApiError('internal_error')
}

/** Makes the JSON of RFC 6749 section 5.2. */
export const oauthErrorAnswer: RenderError = (error, _headers, requestId) => {
  const { code, message, details } = isOAuthError(error) ? error : translated(toApiError(error, requestId))
  const { status = oauthErrorStatus[code], authenticate } = details
  const headers = headersOf(details)
  if (authenticate !== undefined) headers.push(['WWW-Authenticate', authenticate])
  return json({ error: code, error_description: permitted(message) }, { status, headers })
}

function translated({ code, details }: ApiError): OAuthError {
  const { fields, retryAfter, allow } = details
  const protocol = fields?.protocol
  const description = protocol
    ? fieldSentence('en', protocol)
    : fields
      ? `Missing, malformed or repeated: ${Object.keys(fields).map(shownName).join(', ')}`
      : code === 'unsupported_media_type'
        ? 'Send a form with Content-Type: application/x-www-form-urlencoded.'
        : errorSentence('en', code)
  return new OAuthError(oauthCodeOf(code), description, { status: errorStatus[code], retryAfter, allow })
}

/** Shows a parameter's name, which a client may have made up: empty, or of any characters. */
const shownName = (name: string) =>
  name === '' ? 'a parameter without a name' : encodeURIComponent(name.toWellFormed()).slice(0, 64)

/** The characters that RFC 6749 section 5.2 permits in a description. */
const permitted = (text: string) => text.replace(/[^\x20-\x21\x23-\x5b\x5d-\x7e]/g, '')
