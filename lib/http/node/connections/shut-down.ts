import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/** @returns what finishes the requests in progress and exits within 8 seconds */
export function prepareShutDown(server: Server, stop: () => Promise<void>): (code: number) => void {
  const silent = trackSilent(server)
  return (code) => {
    setTimeout(() => process.exit(1), 8_000).unref()
    server.close(() => void stop().finally(() => process.exit(code)))
    server.closeIdleConnections()
    for (const socket of silent) socket.destroy()
  }
}

/** closeIdleConnections() leaves connections open that had no request yet, such as a browser's preconnect. */
function trackSilent(server: Server): Set<Socket> {
  const silent = new Set<Socket>()
  server.on('connection', (socket) => {
    silent.add(socket)
    socket.once('close', () => silent.delete(socket))
  })
  server.on('request', ({ socket }) => silent.delete(socket))
  return silent
}
