import { watchRender } from '../../pages/unavailable'
import { beforeHead } from '../before-head'
import type { Listener } from '../listener'

/** Responds 503 where Next responds 500 although only the database or the backend is unavailable. */
export const withUnavailableStatus =
  (render: Listener): Listener =>
  (request, response) =>
    watchRender((wasUnavailable) => {
      beforeHead(response, (status) => {
        if (status !== 500 || !wasUnavailable()) return status
        response.setHeader('Retry-After', '1')
        return 503
      })
      return render(request, response)
    })
