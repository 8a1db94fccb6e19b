import { ApiError, errorStatus, type FieldError, isApiError } from '@/lib/api/errors'
import { isUnavailable } from '@/lib/database/errors'
import { errorSentences } from '@/lib/messages/en'
import { fieldSentence } from '@/lib/messages/field-sentence'
import { log } from '@/lib/process/log'

export function json(status: number, body: unknown): Response {
  return Response.json(body, { status })
}

export const noContent = () => new Response(null, { status: 204 })

/** The response to whatever was thrown. An error that is not an ApiError is a bug: its cause goes to the log only. */
export function errorResponse(error: unknown, requestId?: string): Response {
  const { code, details } = toApiError(error, requestId)
  const { fields, retryAfter } = details
  const response = json(errorStatus[code], {
    error: errorSentences[code],
    code,
    ...(fields && { fields: inSentences(fields) }),
    ...(retryAfter && { retryAfter }),
  })
  if (retryAfter) response.headers.set('Retry-After', String(retryAfter))
  return response
}

const inSentences = (fields: Record<string, FieldError>) =>
  Object.fromEntries(Object.entries(fields).map(([name, error]) => [name, fieldSentence(error)]))

function toApiError(error: unknown, requestId: string | undefined): ApiError {
  if (isApiError(error)) return error
  if (isUnavailable(error)) {
    log().warn({ requestId, err: error }, 'the database did not answer in time')
    return new ApiError('unavailable', { retryAfter: 1 })
  }
  log().error({ requestId, err: error }, 'a request failed')
  return new ApiError('internal_error')
}
