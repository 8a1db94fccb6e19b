import { subscribe } from 'node:diagnostics_channel'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { isEndpoint } from '@/lib/api/endpoints'
import { type RequestAttributes, recorder } from '@/lib/process/recorder'
import { singleton } from '@/lib/process/singleton'
import { isOwnPage } from '../pages/prepare'
import { decodePath, pathOf } from '../request/head'
import { dropInternalHeaders, hasFewParts, setCommonHeaders, shortenUserAgent } from './next'

/* What holds for every request, under server.ts and where Next serves alone. */

interface Exchange {
  request: IncomingMessage
  response: ServerResponse
  server: object
}

const onEveryExchange = (listener: (exchange: Exchange) => void) =>
  subscribe('http.server.request.start', (message) => listener(message as Exchange))

/**
 * Sets headers and limits where server.ts does not run. `headers()` of next.config.mjs cannot: Next evaluates it at build time,
 * before APP_ORIGIN is known.
 */
export const secureEveryExchange = () =>
  singleton('secure-every-exchange', () => {
    onEveryExchange(({ request, response }) => {
      if (hasTruncatedHeaders(request) || !hasFewParts(request)) request.socket.destroy()
      dropInternalHeaders(request)
      shortenUserAgent(request)
      setCommonHeaders(response)
    })
    return true
  })

/** Rejects hosts on which `new URL()` throws (RFC 9110 section 7.2). HTTP/1.0 needs no host (RFC 9112 section 3.2). */
export function hasValidHost({ headers: { host }, httpVersion }: IncomingMessage): boolean {
  if (host === undefined) return httpVersion !== '1.1'
  return host === '' || (!/[/?#@\\\s]/.test(host) && URL.canParse(`http://${host}`))
}

/** Node's `maxHeadersCount`: it drops further lines in silence. */
const maxLines = 1_000

/**
 * True if Node may have dropped lines of the head. A proxy writes its own behind the client's, such as the address and the host
 * that forward-auth checks, and a client with many lines could get rid of them.
 */
export const hasTruncatedHeaders = ({ rawHeaders }: IncomingMessage) => rawHeaders.length >= 2 * maxLines

/** Measures all requests from now on. Call it after telemetry has started. */
export const measureRequests = () =>
  singleton('measured-requests', () => {
    const current = recorder()
    if (!current) return false
    onEveryExchange(({ request, response, server }) => {
      if (server === current.metricsServer) return
      const end = current.startRequest(attributesOf(request))
      // 'finish' would miss clients that disconnect.
      response.once('close', () => end(response.headersSent ? response.statusCode : undefined))
    })
    return true
  })

/** https://opentelemetry.io/docs/specs/semconv/registry/attributes/http/ */
const knownMethods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'CONNECT', 'OPTIONS', 'TRACE', 'PATCH'])

/** Names known methods and paths only: strangers could invent any number of others, each of which the metrics would keep. */
function attributesOf({ method = '', url = '' }: IncomingMessage): RequestAttributes {
  const path = pathOf(url)
  const route = isEndpoint(path) ? path : decodePath(path)
  return {
    'http.request.method': knownMethods.has(method) ? method : '_OTHER',
    ...(route !== undefined && (isEndpoint(route) || isOwnPage(route)) && { 'http.route': route }),
  }
}
