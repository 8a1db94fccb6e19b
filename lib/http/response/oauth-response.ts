import { FastResponse } from 'srvx'
import { type ApiError, errorStatus } from '@/lib/api/errors'
import { isOAuthError, OAuthError, oauthCodeOf, oauthErrorStatus } from '@/lib/api/oauth-errors'
import { errorSentence, fieldSentence } from '@/lib/messages/catalogues'
import { type RenderError, toApiError } from './error-response'

/** RFC 6749 section 5.2. */
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

/** Of a name that a client made up, which may be empty or of any characters. */
const shownName = (name: string) =>
  name === '' ? 'a parameter without a name' : encodeURIComponent(name.toWellFormed()).slice(0, 64)

/** The characters that RFC 6749 section 5.2 permits in a description. */
const permitted = (text: string) => text.replace(/[^\x20-\x21\x23-\x5b\x5d-\x7e]/g, '')
