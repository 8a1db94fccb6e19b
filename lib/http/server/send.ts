import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import { NodeRequest, sendNodeResponse } from 'srvx/node'
import { ApiError, type ErrorCode, errorStatus } from '@/lib/api/errors'
import { wordsIn } from '@/lib/messages/catalogues'
import { log } from '@/lib/process/log'
import { errorOf } from '@/lib/process/own-server'
import { settings } from '@/lib/settings/settings'
import { dispatch, errorResponseAt, type Handlers } from '../dispatch'
import { hasSignedAddress } from '../request/client-address'
import { nodeHeaders, pathOf, proxiedHost } from '../request/headers'
import { localeOf } from '../request/visitor'
import { newRequestId, strictHeaders, withApiHeaders } from '../response/headers'
import { plainPage } from '../response/plain-page'
import { CompleteResponse } from '../response/result'
import { setCommonHeaders } from './every-response'
import { methodsOf } from './paths'

export type Listener = (request: IncomingMessage, response: ServerResponse) => unknown

/** Sends what a handler returned, with the headers of every response. */
function sendResponse(response: ServerResponse, returned: Response): void | Promise<void> {
  // Not with setHeader(): before a list of headers, writeHead() of Node 20 then keeps only the last Set-Cookie.
  for (const [name, value] of Object.entries(strictHeaders(settings().secureCookies))) {
    if (!returned.headers.has(name)) returned.headers.set(name, value)
  }
  // srvx sends the text of the response, which is empty unless a fork has set one.
  if (returned.statusText === '')
    Object.defineProperty(returned, 'statusText', { value: STATUS_CODES[returned.status] })
  return sendNodeResponse(response, returned)
}

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

/** Without Next, whose pipeline makes each endpoint several times as slow. */
export const endpointsListener =
  (handlers: Handlers) =>
  async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = '', url = '' } = request
    const answer = dispatch(handlers, pathOf(url), method)
    const responded = await answer(new NodeRequest({ req: request, res: response }))
    if (responded instanceof CompleteResponse) responded.writeTo(response)
    else await sendResponse(response, responded)
  }

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

/**
 * What answers a request that came by http although our origin is https: who listens on the way could read a password, and
 * write the answer. Only a trusted proxy's word counts, and without one nothing is known. Null for a request that may go on.
 */
export function httpRejection(request: IncomingMessage): Listener | null {
  const { secureCookies, trustedProxies } = settings()
  if (!secureCookies || trustedProxies === 0 || !cameByHttp(request, trustedProxies)) return null
  if (isAboutAnotherConnection(request)) return null
  return request.method === 'GET' || request.method === 'HEAD' ? redirectToHttps : rejectHttp
}

/** Proxies that append to the header leave what a client wrote to its left, as in X-Forwarded-For. */
function cameByHttp({ headers }: IncomingMessage, trustedProxies: number): boolean {
  const entries = (headers['x-forwarded-proto']?.toString() ?? '').split(',')
  return (entries.at(-trustedProxies) ?? entries[0])?.trim().toLowerCase() === 'http'
}

/** A probe of the machine's own, an app's request that a proxy has us check, and what a front end forwards. */
function isAboutAnotherConnection({ headers, url = '' }: IncomingMessage): boolean {
  const path = pathOf(url)
  const all = nodeHeaders(headers)
  return path === '/api/health' || (path === '/api/forward-auth' && proxiedHost(all) !== null) || hasSignedAddress(all)
}

/** To the origin that the client has asked for, if it is one of ours: any other would send people elsewhere. */
function redirectToHttps({ headers: { host }, url = '' }: IncomingMessage, response: ServerResponse): void {
  const { origins } = settings()
  const origin =
    origins.find((ours) => new URL(ours).hostname === host?.replace(/:\d+$/, '').toLowerCase()) ?? origins[0]
  response.writeHead(308, { ...strictHeaders(true), Location: origin + url, 'Cache-Control': 'no-store' }).end()
}

/** A redirect would have the client send its body again, and everything in it has been read on the way. */
const rejectHttp = rejectWith(new ApiError('invalid_request', { fields: { protocol: { key: 'not_https' } } }))
