import { randomUUID } from 'node:crypto'
import type { BodyMode } from '@/lib/api/endpoints'
import { recorder } from '@/lib/process/telemetry'
import { settings } from '@/lib/settings/settings'
import { forward } from '../remote-backend/forward'
import { ownHeaders } from './own-headers'
import { CompleteResponse } from './result-response'
import { framePolicy } from './security-headers'

type Respond = (request: Request, requestId: string) => Promise<Response>

export type RenderError = (error: unknown, request: Request, requestId: string) => Response

interface Options {
  render: RenderError
  /** Of every response, errors included, unless it was complete. */
  finish?: (response: Response, request: Request) => Response
}

/** Turns what `respond` throws into an error response. A front end forwards the request to its backend instead. */
export function errorBoundary(mode: BodyMode, respond: Respond, { render, finish = (response) => response }: Options) {
  return async (request: Request): Promise<Response> => {
    const requestId = randomUUID()
    recorder()?.nameRequest(requestId)
    try {
      const { backendUrl } = settings()
      if (backendUrl) return withRemoteName(await forward(request, mode, backendUrl))
      const response = await respond(request, requestId)
      return response instanceof CompleteResponse ? response : withOwnHeaders(finish(response, request), requestId)
    } catch (error) {
      return withOwnHeaders(finish(render(error, request, requestId), request), requestId)
    }
  }
}

/** Records the backend's request id, so that both sides of a split deployment have the same one. */
function withRemoteName(response: Response): Response {
  const requestId = response.headers.get('X-Request-Id')
  if (requestId !== null) recorder()?.nameRequest(requestId)
  return response
}

export function withOwnHeaders(response: Response, requestId: string): Response {
  // A page of ours has a stricter policy of its own; that of a fork's own route may load and run what it likes.
  const isPage = response.headers.get('Content-Type')?.startsWith('text/html') ?? false
  const policy = response.headers.get('Content-Security-Policy') ?? (isPage ? framePolicy : null)
  for (const [name, value] of ownHeaders(requestId)) response.headers.set(name, value)
  if (policy !== null) response.headers.set('Content-Security-Policy', policy)
  return response
}
