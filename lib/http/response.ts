import { ApiError, errorStatus, type FieldError, isApiError } from '@/lib/api/errors'
import { isUnavailable } from '@/lib/database/errors'
import { errorSentences } from '@/lib/messages/en'
import { fieldSentence } from '@/lib/messages/field-sentence'
import { log } from '@/lib/process/log'

/** A result that comes with cookies. */
export class WithCookies<T> {
  readonly result: T
  readonly cookies: string[]

  constructor(result: T, cookies: string[]) {
    this.result = result
    this.cookies = cookies
  }
}

/** The response to a success: JSON, or no body for null and undefined. */
export function resultResponse(status: number, outcome: unknown): Response {
  const { result, cookies } = outcome instanceof WithCookies ? outcome : new WithCookies(outcome, [])
  const response = result == null ? new Response(null, { status }) : Response.json(result, { status })
  for (const cookie of cookies) response.headers.append('Set-Cookie', cookie)
  return response
}

/** The response to whatever was thrown. An error that is not an ApiError is a bug: its cause goes to the log only. */
export function errorResponse(error: unknown, requestId?: string): Response {
  const { code, details } = toApiError(error, requestId)
  const { fields, retryAfter } = details
  const body = {
    error: errorSentences[code],
    code,
    ...(fields && { fields: inSentences(fields) }),
    ...(retryAfter && { retryAfter }),
  }
  const response = Response.json(body, { status: errorStatus[code] })
  if (retryAfter) response.headers.set('Retry-After', String(retryAfter))
  return response
}

const inSentences = (fields: Record<string, FieldError>) =>
  Object.fromEntries(Object.entries(fields).map(([name, error]) => [name, fieldSentence(error)]))

function toApiError(error: unknown, requestId: string | undefined): ApiError {
  if (isApiError(error)) return error
  if (isUnavailable(error)) {
    log().warn({ requestId, err: error }, 'database unavailable')
    return new ApiError('unavailable', { retryAfter: 1 })
  }
  log().error({ requestId, err: error }, 'request failed')
  return new ApiError('internal_error')
}
