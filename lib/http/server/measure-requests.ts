import { subscribe } from 'node:diagnostics_channel'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { isEndpoint } from '@/lib/api/endpoints'
import { type RequestAttributes, recorder } from '@/lib/process/recorder'
import { singleton } from '@/lib/process/singleton'
import { isOwnPage } from '../pages/prepare'
import { decodePath, pathOf } from '../request/target'

interface Published {
  request: IncomingMessage
  response: ServerResponse
  server: object
}

/** Measures all requests from now on. Call it after telemetry has started. */
export const measureRequests = () =>
  singleton('measured-requests', () => {
    const current = recorder()
    if (!current) return false
    subscribe('http.server.request.start', (message) => {
      const { request, response, server } = message as Published
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
