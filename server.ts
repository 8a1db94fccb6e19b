import { createServer, type IncomingMessage } from 'node:http'
import { handlers } from '@/app/handlers'
import { hasTruncatedHeaders } from '@/lib/http/node/bounded-heads'
import { answerConnectionErrors } from '@/lib/http/node/connections/connection-errors'
import { disconnectPipelining, disconnectStalled } from '@/lib/http/node/connections/connections'
import { prepareShutDown } from '@/lib/http/node/connections/shut-down'
import { appendAddress, rememberAddresses } from '@/lib/http/node/connections/socket-address'
import { endpointsListener } from '@/lib/http/node/endpoints-listener'
import { shortenUserAgent } from '@/lib/http/node/internal-headers'
import type { Listener } from '@/lib/http/node/listener'
import { measureRequests } from '@/lib/http/node/measure-requests'
import { methodsOf } from '@/lib/http/node/methods'
import { replaceErrorListeners } from '@/lib/http/node/pages/next'
import { pagesListener } from '@/lib/http/node/pages/pages-listener'
import { kindOfPath } from '@/lib/http/node/paths'
import { rejectMethod, rejectWith } from '@/lib/http/node/reject'
import { httpRejection } from '@/lib/http/node/require-https'
import { serveRequest } from '@/lib/http/node/serve-request'
import { hasValidHost } from '@/lib/http/node/valid-host'
import { originForm, pathOf } from '@/lib/http/request/request-target'
import { start, stop } from '@/lib/lifecycle'
import { listen } from '@/lib/process/listen'
import { declareOwnServer } from '@/lib/process/own-server'
import { handleUncaughtErrors } from '@/lib/process/uncaught-errors'
import { loadEnvFiles } from '@/lib/settings/env-files.mjs'
import { faultReport, settings } from '@/lib/settings/settings'

const answerEndpoint = endpointsListener(handlers)

/** What answers a request; each sets the headers of every response. */
function listenerFor(request: IncomingMessage, answerRest: Listener): Listener {
  const { method = '', url = '' } = request
  const path = pathOf(url)
  if (hasTruncatedHeaders(request) || !hasValidHost(request)) return rejectWith('invalid_request')
  const overHttp = httpRejection(request)
  if (overHttp) return overHttp
  const kind = kindOfPath(path)
  // An endpoint rejects other methods itself. The constructor of `Request` throws for TRACE.
  if (kind === 'endpoint' && method !== 'TRACE') return answerEndpoint
  if (!methodsOf(path, kind).includes(method)) return rejectMethod
  return kind === 'unknown' ? answerEndpoint : answerRest
}

async function serve(): Promise<void> {
  const { port, host, origins } = settings()
  declareOwnServer()
  let shutDown: (code: number) => void = process.exit
  handleUncaughtErrors(() => shutDown(1))
  replaceErrorListeners()
  await start()
  measureRequests()
  const answerRest = process.argv.includes('--api-only') ? answerEndpoint : await pagesListener()
  const timeouts = { headersTimeout: 10_000, requestTimeout: 30_000, connectionsCheckingInterval: 2_000 }
  // Node's own answer to a missing Host would lack our headers.
  const server = createServer({ ...timeouts, requireHostHeader: false })
  rememberAddresses(server)
  answerConnectionErrors(server)
  disconnectStalled(server)
  server.on('request', (request, response) => {
    if (disconnectPipelining(request, response)) return
    appendAddress(request)
    shortenUserAgent(request)
    request.url = originForm(request.url)
    void serveRequest(listenerFor(request, answerRest), request, response)
  })
  await listen(server, { host, port }, 'could not accept a connection')
  shutDown = prepareShutDown(server, stop)
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => shutDown(0))
  process.stdout.write(`Latchkey is ready: ${origins[0]}\n`)
}

// A reader that has gone, or a full disk, must not end the service.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})

loadEnvFiles(process.cwd())
try {
  await serve()
} catch (error) {
  process.stderr.write(faultReport('Latchkey cannot start', error))
  process.exit(1)
}
