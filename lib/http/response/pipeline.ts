import type { BodyMode } from '@/lib/api/endpoints'
import { forwardOnFrontEnd } from '../remote-backend/forward'
import { errorBoundary, type RenderError, type Respond } from './error-boundary'
import { withOwnHeaders } from './own-headers'
import { CompleteResponse } from './result-response'

interface Options {
  render: RenderError
  /** Applies to errors, too, and to no complete response. */
  finish?: (response: Response, request: Request) => Response
}

/** A front end forwards the request, whose response is complete; any other server calls `respond`. */
export function pipeline(mode: BodyMode, respond: Respond, { render, finish = (response) => response }: Options) {
  const complete = (response: Response, request: Request, requestId: string) =>
    response instanceof CompleteResponse ? response : withOwnHeaders(finish(response, request), requestId)
  const respondHere: Respond = async (request, requestId) =>
    complete(await respond(request, requestId), request, requestId)
  return errorBoundary(forwardOnFrontEnd(mode, respondHere), (error, request, requestId) =>
    complete(render(error, request, requestId), request, requestId),
  )
}
