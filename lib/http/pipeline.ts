import type { BodyMode } from '@/lib/api/endpoints'
import type { RequestContext } from '@/lib/auth/model/request-context'
import { paceRejection } from '@/lib/auth/throttling/rejection-pace'
import { readRequestContext } from './context/request-context'
import { forwardOnFrontEnd } from './remote-backend/forward'
import { newRequestId, withApiHeaders } from './response/api-headers'
import type { RenderError } from './response/error-response'
import { CompleteResponse } from './response/result-response'

/** What a route file exports for a method. */
export type Handler = (request: Request) => Response | Promise<Response>

/** What makes the response, with what the request's headers say about its caller. */
export type Respond = (request: Request, context: RequestContext) => Response | Promise<Response>

export interface ResourceOptions {
  /** What `respond` returns gets none of the API's headers, such as `no-store` and the request id. */
  ownHeaders?: boolean
  /** What a front end does with the request; `forward` without it. */
  onFrontEnd?: 'answer' | 'forward'
}

interface Options extends ResourceOptions {
  render: RenderError
  /** Applies to every response, errors included, but a `CompleteResponse`. */
  finish?: (response: Response, request: Request) => Response
}

/**
 * A front end forwards the request and returns its backend's response; any other server calls `respond`. Both pace rejections,
 * and turn what is thrown into an error response.
 */
export function pipeline(mode: BodyMode, respond: Respond, options: Options): (request: Request) => Promise<Response> {
  const { render, finish = (response) => response, ownHeaders = false, onFrontEnd = 'forward' } = options
  const complete = (response: Response, request: Request, requestId: string) =>
    response instanceof CompleteResponse ? response : withApiHeaders(finish(response, request), requestId)
  const respondHere = async (request: Request, context: RequestContext) => {
    const response = await respond(request, context)
    return ownHeaders ? finish(response, request) : complete(response, request, context.requestId)
  }
  const respondOrForward = onFrontEnd === 'answer' ? respondHere : forwardOnFrontEnd(mode, respondHere)
  const respondAtPace = async (request: Request, requestId: string) => {
    const context = await readRequestContext(request.headers, { request, requestId })
    try {
      return await respondOrForward(request, context)
    } catch (error) {
      await paceRejection(error, context)
      throw error
    }
  }
  return async (request) => {
    const requestId = newRequestId()
    try {
      return await respondAtPace(request, requestId)
    } catch (error) {
      return complete(render(error, request.headers, requestId), request, requestId)
    }
  }
}
