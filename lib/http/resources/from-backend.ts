import { forwardOnFrontEnd } from '../remote-backend/forward'
import { errorResponse } from '../response/error-response'
import { localeOf } from '../visitor/language'

/** A resource outside /api that needs the database, so that a front end forwards it; its response may be cached. */
export function fromBackend(handle: (request: Request) => Promise<Response>) {
  const respond = forwardOnFrontEnd('ignored', handle)
  return (request: Request) =>
    respond(request).catch((error: unknown) => errorResponse(error, localeOf(request.headers)))
}
