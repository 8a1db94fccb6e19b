import type { BodyMode } from '@/lib/api/endpoints'
import type { RequestContext } from '@/lib/auth/model/request-context'
import { paceRejection } from '@/lib/auth/throttling/rejection-pace'
import { readRequestContext } from './context/request-context'
import { forwardOnFrontEnd } from './remote-backend/forward'
import { errorBoundary, type RenderError } from './response/error-boundary'
import { withOwnHeaders } from './response/own-headers'
import { CompleteResponse } from './response/result-response'

export type Respond = (request: Request, context: RequestContext) => Response | Promise<Response>

/**
 * What is the same for everybody: `local` is what a front end responds with by itself, `remote` what it forwards.
 * Unless it is an error, it keeps its own headers, and has no request id that caches would repeat.
 */
export type Shared = 'local' | 'remote'

interface Options {
  render: RenderError
  /** Applies to errors, too, and to no complete response. */
  finish?: (response: Response, request: Request) => Response
  shared?: Shared | undefined
}

/**
 * A front end forwards the request, whose response is complete; any other server calls `respond`. Both pace rejections.
 */
export function pipeline(mode: BodyMode, respond: Respond, options: Options) {
  const { render, finish = (response) => response, shared } = options
  const complete = (response: Response, request: Request, requestId: string) =>
    response instanceof CompleteResponse ? response : withOwnHeaders(finish(response, request), requestId)
  const respondHere = async (request: Request, context: RequestContext) => {
    const response = await respond(request, context)
    return shared ? finish(response, request) : complete(response, request, context.requestId)
  }
  const respondOrForward = shared === 'local' ? respondHere : forwardOnFrontEnd(mode, respondHere)
  const respondAtPace = async (request: Request, requestId: string) => {
    const context = await readRequestContext(request.headers, { request, requestId })
    try {
      return await respondOrForward(request, context)
    } catch (error) {
      await paceRejection(error, context)
      throw error
    }
  }
  return errorBoundary(respondAtPace, (error, request, requestId) =>
    complete(render(error, request, requestId), request, requestId),
  )
}
