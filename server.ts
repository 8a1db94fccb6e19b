import { handlers, preflights } from 'latchkey:handlers'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createRequire } from 'node:module'
import type { Socket } from 'node:net'
import nextEnv from '@next/env'
import { toNodeHandler } from 'srvx/node'
import { endpoints, type Path } from '@/lib/api/endpoints'
import { trustForwardedFor } from '@/lib/http/client-address'
import { errorRoute } from '@/lib/http/route'
import { start, stop } from '@/lib/lifecycle'
import { log } from '@/lib/process/log'
import { singleton } from '@/lib/process/singleton'
import { SettingsError, settings } from '@/lib/settings/settings'
import './scripts/broken-pipe.mjs'

const methodNotAllowed = errorRoute('method_not_allowed')
const notFound = errorRoute('not_found')

const isOwn = (path: string): path is Path => Object.hasOwn(handlers, path)

/** Calls our endpoints directly: Next's pipeline would make each several times as slow. */
async function answerApi(request: Request): Promise<Response> {
  const { pathname } = new URL(request.url)
  if (!isOwn(pathname)) return notFound(request)
  const preflight = request.method === 'OPTIONS' && preflights[pathname]
  if (preflight) return preflight(request)
  const { method } = endpoints[pathname]
  const methods: string[] = method === 'GET' ? ['GET', 'HEAD'] : [method]
  if (methods.includes(request.method)) return handlers[pathname](request)
  const response = await methodNotAllowed(request)
  response.headers.set('Allow', methods.join(', '))
  return response
}

/** Appends the socket's address to X-Forwarded-For. This server is the last to append, so clients cannot forge that entry. */
function appendAddress({ headers, rawHeaders, socket }: IncomingMessage) {
  const before = headers['x-forwarded-for']
  rawHeaders.push('X-Forwarded-For', `${socket.remoteAddress}`)
  if (before !== undefined && settings().trustedProxies === 0) singleton('forwarded-for-warning', warnOfProxy)
  headers['x-forwarded-for'] = before === undefined ? `${socket.remoteAddress}` : `${before}, ${socket.remoteAddress}`
}

const warnOfProxy = () =>
  log().warn('received X-Forwarded-For, but TRUSTED_PROXIES is 0: behind a proxy all clients share one address')

const nextMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/** Our endpoints, and what Next's route handlers would answer with 500 or 400: malformed paths and unknown methods. */
function isForApi({ url = '', method = '' }: IncomingMessage): boolean {
  const [path = ''] = url.split('?', 1)
  if (isOwn(path)) return true
  return path.startsWith('/api/') && (!nextMethods.includes(method) || !isDecodable(path))
}

function isDecodable(path: string): boolean {
  try {
    return Boolean(decodeURIComponent(path))
  } catch {
    return false
  }
}

type Listener = (request: IncomingMessage, response: ServerResponse) => unknown

/** Next's listener, for all that is not in the table. Imported on demand: `--api-only` needs no build of the pages. */
async function pagesListener(): Promise<Listener> {
  const { port, host } = settings()
  // Loaded first, because Next otherwise logs to stdout that it ran next.config.mjs. There is no public API for it.
  const { default: loadConfig }: typeof import('next/dist/server/config') = createRequire(import.meta.url)(
    'next/dist/server/config',
  )
  await loadConfig('phase-production-server', process.cwd(), { silent: true })
  const { default: next } = await import('next')
  // Next would add its own upgrade listener to our server, and requests that offer an upgrade would get no response.
  const pages = next({ dev: false, port, httpServer: createServer(), ...(host && { hostname: host }) })
  await pages.prepare()
  return pages.getRequestHandler()
}

const apiListener = toNodeHandler(answerApi) as Listener

async function serve(): Promise<Server> {
  const { port, host, origins } = settings()
  trustForwardedFor()
  await start()
  const answerRest = process.argv.includes('--api-only') ? apiListener : await pagesListener()
  const server = createServer({ headersTimeout: 10_000, requestTimeout: 30_000, connectionsCheckingInterval: 2_000 })
  server.on('request', (request, response) => {
    appendAddress(request)
    request.url = originForm(request.url)
    void (isForApi(request) ? apiListener : answerRest)(request, response)
  })
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve))
  process.stdout.write(`Latchkey is ready: ${origins[0]}\n`)
  return server
}

/** Servers must accept the absolute form of a target, too (RFC 9112 section 3.2.2); others, such as `*`, are not found. */
function originForm(target = '/'): string {
  if (target.startsWith('/')) return target
  const { pathname, search } = URL.canParse(target) ? new URL(target) : { pathname: '/*', search: '' }
  return pathname + search
}

/** Graceful shutdown: accepts no new connections, finishes requests in progress, and exits within 8 seconds. */
function stopOnSignal(server: Server) {
  const silent = trackSilent(server)
  const shutDown = () => {
    setTimeout(() => process.exit(1), 8_000).unref()
    server.close(() => void stop().finally(() => process.exit(0)))
    server.closeIdleConnections()
    for (const socket of silent) socket.destroy()
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, shutDown)
}

/** Connections without a request so far, such as a browser's preconnect: closeIdleConnections() leaves them open. */
function trackSilent(server: Server): Set<Socket> {
  const silent = new Set<Socket>()
  server.on('connection', (socket) => {
    silent.add(socket)
    socket.once('close', () => silent.delete(socket))
  })
  server.on('request', ({ socket }) => silent.delete(socket))
  return silent
}

nextEnv.loadEnvConfig(process.cwd(), false)
try {
  stopOnSignal(await serve())
} catch (error) {
  const lines = error instanceof SettingsError ? error.faults : [error instanceof Error ? error.message : String(error)]
  process.stderr.write(`Latchkey cannot start:\n${lines.map((line) => `  ${line}\n`).join('')}`)
  process.exit(1)
}
