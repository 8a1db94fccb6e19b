import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { type ErrorCode, errorStatus } from '@/lib/api/errors'
import { errorSentence, wordsIn } from '@/lib/messages/catalogues'
import type { Locale } from '@/lib/messages/locales'
import { nodeHeaders } from '../request/node-headers'
import { pathOf } from '../request/request-target'
import { apiHeaders, newRequestId } from '../response/api-headers'
import { plainPage } from '../response/plain-page'
import { localeOf } from '../visitor/language'
import type { Listener } from './listener'
import { methodsOf } from './methods'

/** 405. Without JavaScript, browsers submit our forms themselves, and get a page. */
export const rejectMethod: Listener = ({ headers, method, url = '' }, response) => {
  const path = pathOf(url)
  const locale = localeOfHeaders(headers)
  response.setHeader('Allow', methodsOf(path).join(', '))
  if (method !== 'POST' || !headers.accept?.includes('text/html'))
    return respondWithError(response, 'method_not_allowed', locale)
  const { title, text, link } = wordsIn(locale).noScript
  // An empty href is this address by GET.
  const page = plainPage(locale, { title, text, link: { text: link, href: '' } })
  response.writeHead(errorStatus.method_not_allowed, page.headers).end(page.html)
}

/** Responds without reading the body. */
export const rejectWith =
  (code: ErrorCode): Listener =>
  ({ headers }, response) =>
    respondWithError(response, code, localeOfHeaders(headers))

const localeOfHeaders = (headers: IncomingHttpHeaders) => localeOf(nodeHeaders(headers))

/** Writes to Node's response, for requests that `new Request()` throws on, such as TRACE. */
function respondWithError(response: ServerResponse, code: ErrorCode, locale: Locale) {
  response.writeHead(errorStatus[code], {
    ...Object.fromEntries(apiHeaders(newRequestId())),
    'Content-Type': 'application/json',
    'Content-Language': locale,
  })
  response.end(JSON.stringify({ error: errorSentence(locale, code), code }))
}
