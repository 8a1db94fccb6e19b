import { randomUUID } from 'node:crypto'
import { recorder } from '@/lib/process/telemetry'

type Respond = (request: Request, requestId: string) => Promise<Response>

export type RenderError = (error: unknown, request: Request, requestId: string) => Response

/** Turns what `respond` throws into an error response. */
export const errorBoundary =
  (respond: Respond, render: RenderError) =>
  async (request: Request): Promise<Response> => {
    const requestId = randomUUID()
    recorder()?.nameRequest(requestId)
    try {
      return await respond(request, requestId)
    } catch (error) {
      return render(error, request, requestId)
    }
  }
