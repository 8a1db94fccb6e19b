import { FastResponse } from 'srvx'
import { ApiError, errorStatus, type FieldError, isApiError } from '@/lib/api/errors'
import { isUnavailable } from '@/lib/database/errors'
import { errorSentence, fieldSentence } from '@/lib/messages/catalogues'
import type { Locale } from '@/lib/messages/locales'
import { log } from '@/lib/process/log'

/** A result that comes with cookies or other headers. */
export class WithHeaders<T> {
  readonly result: T
  readonly headers: [name: string, value: string][]

  constructor(result: T, headers: [name: string, value: string][]) {
    this.result = result
    this.headers = headers
  }
}

/** The response to a success: JSON, or 204 without a body for null and undefined. */
export function resultResponse(status: number, outcome: unknown): Response {
  const { result, headers } = outcome instanceof WithHeaders ? outcome : new WithHeaders(outcome, [])
  const response = result == null ? new FastResponse(null, { status: 204 }) : FastResponse.json(result, { status })
  for (const [name, value] of headers) response.headers.append(name, value)
  return response
}

/** The response to whatever was thrown. An error that is not an ApiError is a bug: its cause goes to the log only. */
export function errorResponse(error: unknown, locale: Locale, requestId?: string): Response {
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

function toApiError(error: unknown, requestId: string | undefined): ApiError {
  if (isApiError(error)) return error
  if (isUnavailable(error)) {
    log().warn({ requestId, err: error }, 'database unavailable')
    return new ApiError('unavailable', { retryAfter: 1 })
  }
  log().error({ requestId, err: error }, 'request failed')
  return new ApiError('internal_error')
}
