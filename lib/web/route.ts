import { randomUUID } from 'node:crypto'
import type { Client } from '@/lib/auth/client'
import { ApiError, type Code } from '@/lib/error'
import { refusal } from './answer'
import { type BodyMode, readBody } from './body'
import { readClient } from './client'
import { isFromPage, requireOwnOrigin } from './origin'

/** What a handler gets of a request. */
export interface Call {
  body: unknown
  client: Client
  fromPage: boolean
}

/**
 * Makes a route handler: checks where the request comes from, reads its body, and turns what is thrown into an answer. A
 * handler never sees the Request, so it can run wherever Web-standard requests do.
 */
export function route(mode: BodyMode, handle: (call: Call) => Promise<Response>) {
  return async (request: Request): Promise<Response> => {
    const requestId = randomUUID()
    const response = await answer(request, mode, handle).catch((error: unknown) => refusal(error, requestId))
    response.headers.set('Cache-Control', 'no-store')
    response.headers.set('X-Content-Type-Options', 'nosniff')
    response.headers.set('X-Request-Id', requestId)
    return response
  }
}

/** A handler that always refuses, with the headers that every answer has. */
export const refuseAll = (code: Code) =>
  route('ignored', async () => {
    throw new ApiError(code)
  })

async function answer(request: Request, mode: BodyMode, handle: (call: Call) => Promise<Response>) {
  requireOwnOrigin(request)
  const body = await readBody(request, mode)
  return handle({ body, client: readClient(request.headers), fromPage: isFromPage(request) })
}
