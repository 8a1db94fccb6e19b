import type { BodyMode } from '@/lib/api/endpoints'
import { forwardOnFrontEnd } from '../remote-backend/forward'
import { errorBoundary, type RenderError, type Respond } from './error-boundary'
import { withOwnHeaders } from './own-headers'
import { CompleteResponse } from './result-response'

interface Options {
  render: RenderError
  /** Applies to errors, too, and to no complete response. */
  finish?: (response: Response, request: Request) => Response
  /** The same for everybody: what is no error keeps its own Cache-Control, and has no request id that caches would repeat. */
  shared?: boolean
}

/** A front end forwards the request, whose response is complete; any other server calls `respond`. */
export function pipeline(mode: BodyMode, respond: Respond, options: Options) {
  const { render, finish = (response) => response, shared = false } = options
  const complete = (response: Response, request: Request, requestId: string) =>
    response instanceof CompleteResponse ? response : withOwnHeaders(finish(response, request), requestId)
  const respondHere: Respond = async (request, requestId) => {
    const response = await respond(request, requestId)
    return shared ? finish(response, request) : complete(response, request, requestId)
  }
  return errorBoundary(forwardOnFrontEnd(mode, respondHere), (error, request, requestId) =>
    complete(render(error, request, requestId), request, requestId),
  )
}
