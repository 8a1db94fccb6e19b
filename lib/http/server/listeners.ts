import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import { NodeRequest, sendNodeResponse } from 'srvx/node'
import { ApiError, type ErrorCode, errorStatus } from '@/lib/api/errors'
import { wordsIn } from '@/lib/messages/catalogues'
import { log } from '@/lib/process/log'
import { errorOf } from '@/lib/process/own-server'
import { settings } from '@/lib/settings/settings'
import { cameByHttp, hasSignedAddress, proxiedHost } from '../request/addresses'
import { nodeHeaders, pathOf } from '../request/head'
import { localeOf } from '../request/language'
import { type Header, newRequestId, strictHeaders } from '../response/headers'
import { plainPage } from '../response/plain-page'
import { CompleteResponse, complete } from '../response/result'
import { dispatch, errorAnswerAt, type Handlers } from '../route'
import { methodsOf } from './paths'

/** Answers a request of Node's server. */
export type Listener = (request: IncomingMessage, response: ServerResponse) => unknown

/** Calls a listener. If that fails, ends the response, whose connection would otherwise stay open for good. */
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

/** Answers endpoints without Next, whose pipeline makes each several times as slow. */
export const endpointsListener =
  (handlers: Handlers) =>
  async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = '', url = '' } = request
    const answer = dispatch(handlers, pathOf(url), method)
    const responded = await answer(new NodeRequest({ req: request, res: response }))
    if (responded instanceof CompleteResponse) responded.writeTo(response)
    else await sendResponse(response, responded)
  }

/** Sends a fork's or a backend's response, with the headers of every response. */
function sendResponse(response: ServerResponse, returned: Response): void | Promise<void> {
  // Not by setHeader(), after which writeHead() of Node 20, given a list of headers, keeps only the last Set-Cookie.
  for (const [name, value] of strictHeaders(settings().secureCookies)) {
    if (!returned.headers.has(name)) returned.headers.set(name, value)
  }
  // Fills in the status text, which srvx sends: it is empty unless a fork has set one.
  if (returned.statusText === '')
    Object.defineProperty(returned, 'statusText', { value: STATUS_CODES[returned.status] })
  return sendNodeResponse(response, returned)
}

/** Responds with an error without reading the body, also to requests on which `new Request()` throws, such as TRACE. */
export const rejectWith =
  (given: ErrorCode | ApiError): Listener =>
  ({ headers, url = '' }, response) => {
    const requestId = newRequestId()
    const render = errorAnswerAt(pathOf(url))
    const error = typeof given === 'string' ? new ApiError(given) : given
    complete(render(error, nodeHeaders(headers), requestId), { requestId }).writeTo(response)
  }

export const rejectMethod: Listener = (request, response) => {
  const { headers, method, url = '' } = request
  const allow = methodsOf(pathOf(url))
  if (method === 'POST' && headers.accept?.includes('text/html')) rejectForm(request, response, allow)
  else rejectWith(new ApiError('method_not_allowed', { allow }))(request, response)
}

/** Answers a form that a browser without JavaScript submits itself: a page that says what our forms need. */
function rejectForm({ headers }: IncomingMessage, response: ServerResponse, allow: readonly string[]): void {
  const locale = localeOf(nodeHeaders(headers))
  const { title, text, link } = wordsIn(locale).noScript
  // An empty href leads to this URL by GET.
  const page = plainPage(errorStatus.method_not_allowed, locale, { title, text, link: { text: link, href: '' } })
  page.headers.push(['Allow', allow.join(', ')])
  complete(page, { requestId: newRequestId() }).writeTo(response)
}

/**
 * Finds the listener for a request that came by http although our origin is https: somebody on the way could read a password, and
 * change the response. Only a trusted proxy can tell by which it came. Null for a request that may go on.
 */
export function httpRejection(request: IncomingMessage): Listener | null {
  if (!settings().secureCookies || !cameByHttp(nodeHeaders(request.headers))) return null
  if (isAboutAnotherConnection(request)) return null
  return request.method === 'GET' || request.method === 'HEAD' ? redirectToHttps : rejectHttp
}

/** True for the machine's own probe, an app's request that a proxy wants us to check, and requests that a front end forwards. */
function isAboutAnotherConnection({ headers, url = '' }: IncomingMessage): boolean {
  const path = pathOf(url)
  const all = nodeHeaders(headers)
  return path === '/api/health' || (path === '/api/forward-auth' && proxiedHost(all) !== null) || hasSignedAddress(all)
}

/** Redirects to the origin that the client asked for if it is ours: any other would lead people to a stranger's site. */
function redirectToHttps({ headers: { host }, url = '' }: IncomingMessage, response: ServerResponse): void {
  const { origins } = settings()
  const origin =
    origins.find((ours) => new URL(ours).hostname === host?.replace(/:\d+$/, '').toLowerCase()) ?? origins[0]
  const moved = { status: 308, headers: [['Location', origin + url] satisfies Header], body: null }
  complete(moved, { requestId: newRequestId() }).writeTo(response)
}

/** Rejects requests with a body, which a redirect would only make the client send again: anybody on the way has read it. */
const rejectHttp = rejectWith(new ApiError('invalid_request', { fields: { protocol: { key: 'not_https' } } }))
