import { pipeline } from '../response/pipeline'
import { renderError } from '../response/render-error'

/** A resource outside /api that needs the database, so that a front end forwards it; its response may be cached. */
export const fromBackend = (handle: (request: Request) => Promise<Response>) =>
  pipeline('ignored', handle, { render: renderError, shared: true })
