import { FastResponse } from 'srvx'
import { ApiError, errorStatus, type FieldError, isApiError } from '@/lib/api/errors'
import { isOAuthError, OAuthError, oauthCodeOf, oauthErrorStatus } from '@/lib/api/oauth-errors'
import { isUnavailable } from '@/lib/database/errors'
import { reportUnavailable } from '@/lib/database/write-probe'
import { errorSentence, fieldSentence } from '@/lib/messages/catalogues'
import type { Locale } from '@/lib/messages/locales'
import { log } from '@/lib/process/log'
import type { ReadableHeaders } from '../request/headers'
import { localeOf } from '../request/visitor'

/** Makes the response to an error of a request with these headers. */
export type RenderError = (error: unknown, headers: ReadableHeaders, requestId: string) => Response

/** Makes our JSON, in the visitor's language. Any error but an ApiError is a bug, whose cause goes to the log only. */
export const errorResponse: RenderError = (error, headers, requestId) => {
  const locale = localeOf(headers)
  const { code, details } = toApiError(error, requestId)
  const { fields, retryAfter } = details
  const body = {
    error: errorSentence(locale, code),
    code,
    ...(fields && { fields: inSentences(fields, locale) }),
    ...(retryAfter && { retryAfter }),
  }
  const response = FastResponse.json(body, { status: errorStatus[code], headers: { 'Content-Language': locale } })
  if (retryAfter) response.headers.set('Retry-After', String(retryAfter))
  return response
}

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
export const oauthErrorResponse: RenderError = (error, _headers, requestId) => {
  const { code, message, details } = isOAuthError(error) ? error : translated(toApiError(error, requestId))
  const { status = oauthErrorStatus[code], authenticate, retryAfter } = details
  const headers = {
    ...(authenticate !== undefined && { 'WWW-Authenticate': authenticate }),
    ...(retryAfter !== undefined && { 'Retry-After': String(retryAfter) }),
  }
  return FastResponse.json({ error: code, error_description: permitted(message) }, { status, headers })
}

function translated({ code, details }: ApiError): OAuthError {
  const { fields, retryAfter } = details
  const protocol = fields?.protocol
  const description = protocol
    ? fieldSentence('en', protocol)
    : fields
      ? `Missing, malformed or repeated: ${Object.keys(fields).map(shownName).join(', ')}`
      : code === 'unsupported_media_type'
        ? 'Send a form with Content-Type: application/x-www-form-urlencoded.'
        : errorSentence('en', code)
  return new OAuthError(oauthCodeOf(code), description, { status: errorStatus[code], retryAfter })
}

/** Shows a parameter's name, which a client may have made up: empty, or of any characters. */
const shownName = (name: string) =>
  name === '' ? 'a parameter without a name' : encodeURIComponent(name.toWellFormed()).slice(0, 64)

/** The characters that RFC 6749 section 5.2 permits in a description. */
const permitted = (text: string) => text.replace(/[^\x20-\x21\x23-\x5b\x5d-\x7e]/g, '')
