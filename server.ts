import { handlers, preflights } from 'latchkey:handlers'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createRequire } from 'node:module'
import nextEnv from '@next/env'
import type { ServerRequest } from 'srvx'
import { NodeRequest, sendNodeResponse } from 'srvx/node'
import { ApiError } from '@/lib/api/errors'
import { localeOf } from '@/lib/http/language'
import { decodePath, isKnownMethod, isOwnEndpoint, methodsOf } from '@/lib/http/methods'
import { rejectMethod, rejectMissingHost } from '@/lib/http/node/answer-error'
import { answerConnectionErrors } from '@/lib/http/node/connection-errors'
import { setCommonHeaders, withCommonHeaders } from '@/lib/http/node/every-response'
import { measureRequests } from '@/lib/http/node/measure-requests'
import { prepareShutDown } from '@/lib/http/node/shut-down'
import { appendAddress, rememberAddresses } from '@/lib/http/node/socket-address'
import { declareOwnServer } from '@/lib/http/own-server'
import { prepareOwnPage } from '@/lib/http/prepare-page'
import { CompleteResponse, errorResponse } from '@/lib/http/response'
import { errorRoute } from '@/lib/http/route'
import { start, stop } from '@/lib/lifecycle'
import { handleUncaughtErrors, removeListenerOfNext } from '@/lib/process/last-resort'
import { SettingsError, settings } from '@/lib/settings/settings'

const methodNotAllowed = errorRoute('method_not_allowed')
const notFound = errorRoute('not_found')

/** Calls our endpoints directly: Next's pipeline would make each several times as slow. */
function answerApi(request: ServerRequest): Response | Promise<Response> {
  const path = pathOf(request.runtime?.node?.req.url)
  if (!isOwnEndpoint(path)) return notFound(request)
  const preflight = request.method === 'OPTIONS' && preflights[path]
  if (preflight) return preflight(request)
  const methods = methodsOf(path)
  return methods.includes(request.method) ? handlers[path](request) : answerWrongMethod(request, path, methods)
}

async function answerWrongMethod(request: ServerRequest, path: string, methods: readonly string[]): Promise<Response> {
  // Only /api is forwarded: a front end answers the rest itself.
  const response = path.startsWith('/api/')
    ? await methodNotAllowed(request)
    : errorResponse(new ApiError('method_not_allowed'), localeOf(request.headers))
  response.headers.set('Allow', methods.join(', '))
  return response
}

const pathOf = (target = '') => target.split('?', 1)[0] ?? ''

/** Our endpoints, and what Next's route handlers would answer with 400: malformed paths. */
const isForApi = (path: string) => isOwnEndpoint(path) || (path.startsWith('/api/') && decodePath(path) === undefined)

type Listener = (request: IncomingMessage, response: ServerResponse) => unknown

/** Next's listener, for all that is not in the table. Imported on demand: `--api-only` needs no build of the pages. */
async function pagesListener(): Promise<Listener> {
  const { port, host, telemetry } = settings()
  const require = createRequire(import.meta.url)
  if (!telemetry) keepTelemetryOut(require)
  // Loaded first, because Next otherwise logs to stdout that it ran next.config.mjs. There is no public API for it.
  const { default: loadConfig }: typeof import('next/dist/server/config') = require('next/dist/server/config')
  await loadConfig('phase-production-server', process.cwd(), { silent: true })
  const { default: next } = await import('next')
  // Next would add its own upgrade listener to our server, and requests that offer an upgrade would get no response.
  const pages = next({ dev: false, port, httpServer: createServer(), ...(host && { hostname: host }) })
  await pages.prepare()
  removeListenerOfNext()
  const render = pages.getRequestHandler()
  return async (request, response) => (await prepareOwnPage(request, response)) || render(request, response)
}

/** Next loads OpenTelemetry's API where it is installed, which takes six megabytes, instead of the small copy that it brings. */
function keepTelemetryOut(require: NodeJS.Require): void {
  const copy = require.resolve('next/dist/compiled/@opentelemetry/api')
  require(copy)
  require.cache[require.resolve('@opentelemetry/api')] = require.cache[copy]
}

async function answerWithApi(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const answer = await answerApi(new NodeRequest({ req: request, res: response }))
  if (answer instanceof CompleteResponse) answer.writeTo(response)
  else await sendNodeResponse(response, withCommonHeaders(answer))
}

/** What answers a request. Methods are checked here, because the constructor of `Request` throws for TRACE. */
function listenerFor({ headers, httpVersion, method = '', url = '' }: IncomingMessage, answerRest: Listener): Listener {
  const path = pathOf(url)
  if (httpVersion === '1.1' && headers.host === undefined) return rejectMissingHost
  if (isForApi(path) && isKnownMethod(method)) return answerWithApi
  return methodsOf(path).includes(method) ? answerRest : rejectMethod
}

async function serve(): Promise<void> {
  const { port, host, origins } = settings()
  declareOwnServer()
  let shutDown: (code: number) => void = process.exit
  handleUncaughtErrors(() => shutDown(1))
  await start()
  measureRequests()
  const answerRest = process.argv.includes('--api-only') ? answerWithApi : await pagesListener()
  // Node's own answer to a missing Host would lack our headers.
  const limits = { headersTimeout: 10_000, requestTimeout: 30_000, connectionsCheckingInterval: 2_000 }
  const server = createServer({ ...limits, requireHostHeader: false })
  rememberAddresses(server)
  answerConnectionErrors(server)
  server.on('request', (request, response) => {
    appendAddress(request)
    request.url = originForm(request.url)
    const answer = listenerFor(request, answerRest)
    if (answer !== answerWithApi) setCommonHeaders(response)
    void answer(request, response)
  })
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve))
  shutDown = prepareShutDown(server, stop)
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => shutDown(0))
  process.stdout.write(`Latchkey is ready: ${origins[0]}\n`)
}

/** Servers must accept the absolute form of a target, too (RFC 9112 section 3.2.2); others, such as `*`, are not found. */
function originForm(target = '/'): string {
  if (target.startsWith('/')) return target
  const { pathname, search } = URL.canParse(target) ? new URL(target) : { pathname: '/*', search: '' }
  return pathname + search
}

// A reader that has gone, or a full disk, must not end the service.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})

nextEnv.loadEnvConfig(process.cwd(), false)
try {
  await serve()
} catch (error) {
  const lines = error instanceof SettingsError ? error.faults : [error instanceof Error ? error.message : String(error)]
  process.stderr.write(`Latchkey cannot start:\n${lines.map((line) => `  ${line}\n`).join('')}`)
  process.exit(1)
}
