import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createRequire } from 'node:module'
import type { Socket } from 'node:net'
import nextEnv from '@next/env'
import { toNodeHandler } from 'srvx/node'
import * as authenticationOptions from '@/app/api/auth/login/options/route'
import * as authenticationVerify from '@/app/api/auth/login/verify/route'
import * as registrationOptions from '@/app/api/auth/register/options/route'
import * as registrationVerify from '@/app/api/auth/register/verify/route'
import * as health from '@/app/api/health/route'
import * as deleteAccount from '@/app/api/i/delete/route'
import * as events from '@/app/api/i/events/route'
import * as removePasskey from '@/app/api/i/passkeys/remove/route'
import * as renamePasskey from '@/app/api/i/passkeys/rename/route'
import * as password from '@/app/api/i/password/route'
import * as recoveryCodes from '@/app/api/i/recovery-codes/route'
import * as i from '@/app/api/i/route'
import * as signoutEverywhere from '@/app/api/i/signout-everywhere/route'
import * as username from '@/app/api/i/username/route'
import * as recovery from '@/app/api/signin/recovery/route'
import * as signin from '@/app/api/signin/route'
import * as signout from '@/app/api/signout/route'
import * as signup from '@/app/api/signup/route'
import { trustForwardedFor } from '@/lib/http/client-address'
import { errorRoute } from '@/lib/http/route'
import { start, stop } from '@/lib/lifecycle'
import { log } from '@/lib/process/log'
import { singleton } from '@/lib/process/singleton'
import { SettingsError, settings } from '@/lib/settings/settings'
import './scripts/broken-pipe.mjs'

/** A route file's exports: a handler for each method that it takes. */
type Endpoint = Record<string, (request: Request) => Promise<Response>>

/** The endpoints, straight from their route files: Next's pipeline would cost each several times what it does. */
const endpoints: Record<string, Endpoint> = {
  '/api/signup': signup,
  '/api/signin': signin,
  '/api/signout': signout,
  '/api/signin/recovery': recovery,
  '/api/i': i,
  '/api/i/password': password,
  '/api/i/username': username,
  '/api/i/passkeys/rename': renamePasskey,
  '/api/i/passkeys/remove': removePasskey,
  '/api/i/recovery-codes': recoveryCodes,
  '/api/i/events': events,
  '/api/i/signout-everywhere': signoutEverywhere,
  '/api/i/delete': deleteAccount,
  '/api/auth/register/options': registrationOptions,
  '/api/auth/register/verify': registrationVerify,
  '/api/auth/login/options': authenticationOptions,
  '/api/auth/login/verify': authenticationVerify,
  '/api/health': health,
}

const methodNotAllowed = errorRoute('method_not_allowed')
const notFound = errorRoute('not_found')

async function answerApi(request: Request): Promise<Response> {
  const endpoint = endpoints[new URL(request.url).pathname]
  if (!endpoint) return notFound(request)
  const handle = endpoint[request.method]
  if (handle) return handle(request)
  const response = await methodNotAllowed(request)
  response.headers.set('Allow', Object.keys(endpoint).join(', '))
  return response
}

/** Every proxy appends the address that it was reached from; this server is the last, so what it appends cannot be forged. */
function appendAddress({ headers, rawHeaders, socket }: IncomingMessage) {
  const before = headers['x-forwarded-for']
  rawHeaders.push('X-Forwarded-For', `${socket.remoteAddress}`)
  if (before !== undefined && settings().trustedProxies === 0) singleton('forwarded-for-warning', warnOfProxy)
  headers['x-forwarded-for'] = before === undefined ? `${socket.remoteAddress}` : `${before}, ${socket.remoteAddress}`
}

const warnOfProxy = () =>
  log().warn('X-Forwarded-For arrives but TRUSTED_PROXIES is 0: behind a proxy all clients look like one')

type Listener = (request: IncomingMessage, response: ServerResponse) => unknown

/** Next's listener for the pages. Next is imported on demand: `--api-only` runs where there is no build of the pages. */
async function pagesListener(): Promise<Listener> {
  const { port, host } = settings()
  // Next announces on stdout that it ran next.config.mjs unless that is loaded before, for which it has no public way.
  const { default: loadConfig }: typeof import('next/dist/server/config') = createRequire(import.meta.url)(
    'next/dist/server/config',
  )
  await loadConfig('phase-production-server', process.cwd(), { silent: true })
  const { default: next } = await import('next')
  // Next would hang its own upgrade listener on our server, and requests that offer an upgrade would get no answer.
  const pages = next({ dev: false, port, httpServer: createServer(), ...(host && { hostname: host }) })
  await pages.prepare()
  return pages.getRequestHandler()
}

const apiListener = toNodeHandler(answerApi) as Listener

async function serve(): Promise<Server> {
  const { port, host, origins } = settings()
  trustForwardedFor()
  await start()
  const answerPage = process.argv.includes('--api-only') ? apiListener : await pagesListener()
  const server = createServer({ headersTimeout: 10_000, requestTimeout: 30_000, connectionsCheckingInterval: 2_000 })
  server.on('request', (request, response) => {
    appendAddress(request)
    request.url = originForm(request.url)
    void (request.url.startsWith('/api/') ? apiListener : answerPage)(request, response)
  })
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve))
  process.stdout.write(`Latchkey is ready: ${origins[0]}\n`)
  return server
}

/** A server must also take the absolute form of a target (RFC 9112 section 3.2.2); `*` and the like are no page of ours. */
function originForm(target = '/'): string {
  if (target.startsWith('/')) return target
  const { pathname, search } = URL.canParse(target) ? new URL(target) : { pathname: '/*', search: '' }
  return pathname + search
}

/** Takes no new connections, lets what is under way finish, and ends within 8 seconds. */
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

/** Connections that never asked anything, such as a browser's preconnect: closeIdleConnections() leaves them open. */
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
