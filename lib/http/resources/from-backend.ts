import { settings } from '@/lib/settings/settings'
import { forward } from '../remote-backend/forward'
import { errorResponse } from '../response/error-response'
import { localeOf } from '../visitor/language'

/** A resource outside /api that is made of the database, so that a front end forwards it; its response may be cached. */
export const fromBackend = (handle: (request: Request) => Promise<Response>) => async (request: Request) => {
  try {
    const { backendUrl } = settings()
    return await (backendUrl ? forward(request, 'ignored', backendUrl) : handle(request))
  } catch (error) {
    return errorResponse(error, localeOf(request.headers))
  }
}
