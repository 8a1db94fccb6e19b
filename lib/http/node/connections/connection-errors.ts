import { type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { settings } from '@/lib/settings/settings'
import { strictHeaders } from '../../response/security-headers'
import { disconnectPipelining } from './connections'

const statuses: Record<string, number> = {
  HPE_INVALID_METHOD: 405,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
}

/** Where node:http keeps the response in progress, and looks before it answers an error. */
type HttpSocket = Duplex & { _httpMessage?: ServerResponse | null }

/** Responds where node:http emits no `request`: to CONNECT, unknown methods, malformed and late requests. */
export function answerConnectionErrors(server: Server): void {
  // Without a listener, Node closes the connection without a response.
  server.on('connect', (_request, socket) => end(socket, 405))
  server.on('clientError', ({ code = '' }: NodeJS.ErrnoException, socket) => end(socket, statuses[code] ?? 400))
  // Node would answer 417 without our headers.
  server.on('checkExpectation', (request, response) => {
    disconnectPipelining(request, response)
    end(request.socket, 417)
  })
}

function end(socket: HttpSocket, status: number) {
  // A second response would become part of the first one's body.
  if (!socket.writable || socket._httpMessage?.headersSent) {
    socket.destroy()
    return
  }
  const headers = {
    Connection: 'close',
    'Content-Length': '0',
    ...(status === 405 && { Allow: 'GET, HEAD, POST' }),
    ...strictHeaders(settings().secureCookies),
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  // Without a listener, a connection reset would end the process.
  socket.on('error', () => {})
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n`, () => socket.destroy())
}
