import { randomUUID } from 'node:crypto'
import { ApiError, type ErrorCode } from '@/lib/api/errors'
import type { RequestContext } from '@/lib/auth/request-context'
import { settings } from '@/lib/settings/settings'
import { type BodyMode, readBody } from './body'
import { isFromPage, requireSameOrigin } from './csrf'
import { forward } from './remote-backend/forward'
import { readRequestContext } from './request-context'
import { errorResponse } from './response'

/** What a handler gets of a request. */
export interface Call {
  body: unknown
  context: RequestContext
  fromPage: boolean
}

/**
 * Makes a route handler: checks where the request comes from, reads its body, and turns what is thrown into an answer. A
 * handler never sees the Request, so it can run wherever Web-standard requests do. On a front end deployed apart no handler
 * runs: the backend's own answer goes out as it came.
 */
export function route(mode: BodyMode, handle: (call: Call) => Promise<Response>) {
  return async (request: Request): Promise<Response> => {
    const requestId = randomUUID()
    try {
      const { backendUrl } = settings()
      if (backendUrl) return await forward(request, mode, backendUrl)
      return withHeaders(await answer(request, mode, handle), requestId)
    } catch (error) {
      return withHeaders(errorResponse(error, requestId), requestId)
    }
  }
}

/** A handler that always refuses, with the headers that every answer has. */
export const errorRoute = (code: ErrorCode) =>
  route('ignored', async () => {
    throw new ApiError(code)
  })

function withHeaders(response: Response, requestId: string): Response {
  response.headers.set('Cache-Control', 'no-store')
  response.headers.set('X-Content-Type-Options', 'nosniff')
  response.headers.set('X-Request-Id', requestId)
  return response
}

async function answer(request: Request, mode: BodyMode, handle: (call: Call) => Promise<Response>) {
  requireSameOrigin(request)
  const body = await readBody(request, mode)
  return handle({ body, context: await readRequestContext(request.headers), fromPage: isFromPage(request) })
}
