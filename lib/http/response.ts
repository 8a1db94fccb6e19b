import { ApiError, apiErrors, isApiError } from '@/lib/api/errors'
import { isUnavailable } from '@/lib/database/errors'
import { log } from '@/lib/process/log'

/** A JSON answer. Dates become ISO 8601 in UTC. */
export function json(status: number, body: unknown): Response {
  return Response.json(body, { status })
}

/** An answer without a body. */
export const noContent = () => new Response(null, { status: 204 })

/** Turns whatever was thrown into an answer. What is not ours is a bug: the log gets its cause, the client nothing. */
export function errorResponse(error: unknown, requestId?: string): Response {
  const { code, details } = known(error, requestId)
  const [status, sentence] = apiErrors[code]
  const { fields, retryAfter } = details
  const response = json(status, { error: sentence, code, ...(fields && { fields }), ...(retryAfter && { retryAfter }) })
  if (retryAfter) response.headers.set('Retry-After', String(retryAfter))
  return response
}

function known(error: unknown, requestId: string | undefined): ApiError {
  if (isApiError(error)) return error
  if (isUnavailable(error)) {
    log().warn({ requestId, err: error }, 'the database did not answer in time')
    return new ApiError('unavailable', { retryAfter: 1 })
  }
  log().error({ requestId, err: error }, 'a request failed')
  return new ApiError('internal_error')
}
