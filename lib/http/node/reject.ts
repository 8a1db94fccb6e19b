import { ApiError, type ErrorCode, errorStatus } from '@/lib/api/errors'
import { wordsIn } from '@/lib/messages/catalogues'
import { errorResponseAt } from '../dispatch'
import { nodeHeaders } from '../request/node-headers'
import { pathOf } from '../request/request-target'
import { newRequestId, withApiHeaders } from '../response/api-headers'
import { plainPage } from '../response/plain-page'
import { localeOf } from '../visitor/language'
import { setCommonHeaders } from './every-response'
import type { Listener } from './listener'
import { methodsOf } from './methods'
import { sendResponse } from './send-response'

export const rejectMethod: Listener = (request, response) => {
  const { headers, method, url = '' } = request
  response.setHeader('Allow', methodsOf(pathOf(url)).join(', '))
  const isForm = method === 'POST' && headers.accept?.includes('text/html')
  return (isForm ? rejectForm : rejectWith('method_not_allowed'))(request, response)
}

/** Without JavaScript, browsers submit our forms themselves. */
const rejectForm: Listener = ({ headers }, response) => {
  const locale = localeOf(nodeHeaders(headers))
  const { title, text, link } = wordsIn(locale).noScript
  // An empty href is this URL by GET.
  const page = plainPage(locale, { title, text, link: { text: link, href: '' } })
  setCommonHeaders(response)
  response.writeHead(errorStatus.method_not_allowed, page.headers).end(page.html)
}

/** Responds without reading the body, and to what `new Request()` throws on, such as TRACE. */
export const rejectWith =
  (given: ErrorCode | ApiError): Listener =>
  ({ headers, url = '' }, response) => {
    const requestId = newRequestId()
    const render = errorResponseAt(pathOf(url))
    const error = typeof given === 'string' ? new ApiError(given) : given
    const rejection = render(error, nodeHeaders(headers), requestId)
    return sendResponse(response, withApiHeaders(rejection, requestId))
  }
