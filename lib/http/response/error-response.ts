import { FastResponse } from 'srvx'
import { ApiError, errorStatus, type FieldError, isApiError } from '@/lib/api/errors'
import { isUnavailable } from '@/lib/database/errors'
import { reportUnavailable } from '@/lib/database/write-probe'
import { errorSentence, fieldSentence } from '@/lib/messages/catalogues'
import type { Locale } from '@/lib/messages/locales'
import { log } from '@/lib/process/log'
import type { ReadableHeaders } from '../request/node-headers'
import { localeOf } from '../visitor/language'

/** Makes the response to an error of a request with these headers. */
export type RenderError = (error: unknown, headers: ReadableHeaders, requestId: string) => Response

/** In the visitor's language. Anything but an ApiError is a bug, whose cause goes to the log only. */
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

export function toApiError(error: unknown, requestId: string): ApiError {
  if (isApiError(error)) return error
  if (isUnavailable(error)) {
    reportUnavailable(error, requestId)
    return new ApiError('unavailable', { retryAfter: 1 })
  }
  log().error({ requestId, err: error }, 'request failed')
  return new ApiError('internal_error')
}
