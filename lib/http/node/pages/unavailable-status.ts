import { watchRender } from '../../pages/unavailable'
import type { Listener } from '../listener'

/** Responds 503 where Next responds 500 although only the database or the backend is unavailable. */
export const withUnavailableStatus =
  (render: Listener): Listener =>
  (request, response) =>
    watchRender((wasUnavailable) => {
      const writeHead = response.writeHead.bind(response) as (status: number, ...rest: unknown[]) => typeof response
      response.writeHead = (status: number, ...rest: unknown[]) => {
        if (status !== 500 || !wasUnavailable()) return writeHead(status, ...rest)
        response.setHeader('Retry-After', '1')
        return writeHead(503, ...rest)
      }
      return render(request, response)
    })
