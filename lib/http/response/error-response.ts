import { FastResponse } from 'srvx'
import { ApiError, errorStatus, type FieldError, isApiError } from '@/lib/api/errors'
import { isUnavailable } from '@/lib/database/errors'
import { errorSentence, fieldSentence } from '@/lib/messages/catalogues'
import type { Locale } from '@/lib/messages/locales'
import { log } from '@/lib/process/log'
import { localeOf } from '../visitor/language'

export type RenderError = (error: unknown, request: Request, requestId: string) => Response

/** In the visitor's language. */
export const renderError: RenderError = (error, { headers }, requestId) =>
  errorResponse(error, localeOf(headers), requestId)

/** Anything but an ApiError is a bug, whose cause goes to the log only. */
function errorResponse(error: unknown, locale: Locale, requestId: string): Response {
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
    log().warn({ requestId, err: error }, 'database unavailable')
    return new ApiError('unavailable', { retryAfter: 1 })
  }
  log().error({ requestId, err: error }, 'request failed')
  return new ApiError('internal_error')
}
