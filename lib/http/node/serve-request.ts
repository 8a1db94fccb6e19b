import type { IncomingMessage, ServerResponse } from 'node:http'
import { log } from '@/lib/process/log'
import { errorOf } from '@/lib/process/uncaught-errors'
import type { Listener } from './listener'
import { rejectWith } from './reject'

/** Calls a listener. If it fails, the response ends all the same: its connection would stay open for good. */
export async function serveRequest(
  listener: Listener,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    await listener(request, response)
  } catch (thrown) {
    log().error({ err: errorOf(thrown) }, 'could not answer a request')
    if (response.headersSent) response.destroy()
    else await rejectWith('internal_error')(request, response)
  }
}
