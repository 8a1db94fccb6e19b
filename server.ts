import { createServer, type IncomingMessage } from 'node:http'
import { handlers } from '@/app/handlers'
import { originForm, pathOf } from '@/lib/http/request/head'
import {
  answerConnectionErrors,
  appendAddress,
  disconnectPipelining,
  disconnectStalled,
  prepareShutDown,
  rememberAddresses,
} from '@/lib/http/server/connections'
import { hasTruncatedHeaders, hasValidHost, measureRequests } from '@/lib/http/server/every-exchange'
import {
  endpointsListener,
  httpRejection,
  type Listener,
  rejectMethod,
  rejectWith,
  serveRequest,
} from '@/lib/http/server/listeners'
import { replaceErrorListeners } from '@/lib/http/server/next'
import { pagesListener } from '@/lib/http/server/pages'
import { kindOfPath, methodsOf } from '@/lib/http/server/paths'
import { start, stop } from '@/lib/lifecycle'
import { declareOwnServer, handleUncaughtErrors, listen } from '@/lib/process/own-server'
import { loadEnvFiles } from '@/lib/settings/env-files.mjs'
import { faultReport, settings } from '@/lib/settings/settings'

const answerEndpoint = endpointsListener(handlers)

/** Finds the listener that answers a request; each sets the headers of every response. */
function listenerFor(request: IncomingMessage, answerRest: Listener): Listener {
  const { method = '', url = '' } = request
  const path = pathOf(url)
  if (hasTruncatedHeaders(request) || !hasValidHost(request)) return rejectWith('invalid_request')
  const overHttp = httpRejection(request)
  if (overHttp) return overHttp
  const kind = kindOfPath(path)
  // An endpoint rejects other methods itself, except TRACE, for which the constructor of `Request` throws.
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
  let loading: Promise<Listener> | undefined
  let answerRest: Listener = async (request, response) => (await (loading ?? answerEndpoint))(request, response)
  const timeouts = { headersTimeout: 10_000, requestTimeout: 30_000, connectionsCheckingInterval: 2_000 }
  // hasValidHost() rejects a missing Host, because Node's own answer would lack our headers.
  const server = createServer({ ...timeouts, requireHostHeader: false })
  rememberAddresses(server)
  answerConnectionErrors(server)
  disconnectStalled(server)
  server.on('request', (request, response) => {
    if (disconnectPipelining(request, response)) return
    appendAddress(request)
    request.url = originForm(request.url)
    void serveRequest(listenerFor(request, answerRest), request, response)
  })
  await listen(server, { host, port }, 'could not accept a connection')
  shutDown = prepareShutDown(server, stop)
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => shutDown(0))
  // Loading Next takes about as long as all the rest of the start: meanwhile the API answers, and pages wait.
  if (!process.argv.includes('--api-only')) loading = pagesListener()
  // Then pages get their requests without an `await`: until a listener reads the body, nothing limits it.
  answerRest = (await loading) ?? answerEndpoint
  process.stdout.write(`Latchkey is ready: ${origins[0]}\n`)
}

// Without these listeners, a log reader that has gone, or a full disk, would end the service.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})

loadEnvFiles(process.cwd())
try {
  await serve()
} catch (error) {
  process.stderr.write(faultReport('Latchkey cannot start', error))
  process.exit(1)
}
