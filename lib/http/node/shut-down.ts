import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/** The returned function shuts down gracefully: it finishes requests in progress and exits within 8 seconds. */
export function prepareShutDown(server: Server, stop: () => Promise<void>): (code: number) => void {
  const silent = trackSilent(server)
  return (code) => {
    setTimeout(() => process.exit(1), 8_000).unref()
    server.close(() => void stop().finally(() => process.exit(code)))
    server.closeIdleConnections()
    for (const socket of silent) socket.destroy()
  }
}

/** Connections without a request yet, such as a browser's preconnect: closeIdleConnections() leaves them open. */
function trackSilent(server: Server): Set<Socket> {
  const silent = new Set<Socket>()
  server.on('connection', (socket) => {
    silent.add(socket)
    socket.once('close', () => silent.delete(socket))
  })
  server.on('request', ({ socket }) => silent.delete(socket))
  return silent
}
