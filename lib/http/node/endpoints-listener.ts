import type { IncomingMessage, ServerResponse } from 'node:http'
import { NodeRequest } from 'srvx/node'
import { dispatch, type Handlers } from '../dispatch'
import { pathOf } from '../request/request-target'
import { CompleteResponse } from '../response/result-response'
import { sendResponse } from './send-response'

/** Without Next, whose pipeline makes each endpoint several times as slow. */
export const endpointsListener =
  (handlers: Handlers) =>
  async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = '', url = '' } = request
    const answer = dispatch(handlers, pathOf(url), method)
    const responded = await answer(new NodeRequest({ req: request, res: response }))
    if (responded instanceof CompleteResponse) responded.writeTo(response)
    else await sendResponse(response, responded)
  }
