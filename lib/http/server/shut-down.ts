import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { log } from '@/lib/process/log'
import { resultWithin } from '@/lib/process/waiting'

/** Requests in progress get longer than a sign-in is foreseen to wait for its turn to hash, but on a slow core. After the last response, we need up to two seconds. */
const requestsMilliseconds = 5_000
const shutdownMilliseconds = 8_000

/**
 * Prepares a shutdown that finishes the requests in progress.
 *
 * @param stop runs at once, with a promise of the last response, and keeps open until then what these requests need
 * @returns a function that shuts down within 8 seconds and exits with the highest code of its calls
 */
export function prepareShutDown(
  server: Server,
  stop: (lastResponse: Promise<void>) => Promise<void>,
  exit: (code: number) => void = process.exit,
): (code: number) => void {
  const silent = trackSilent(server)
  let highest: number | null = null
  return (code) => {
    const begun = highest !== null
    highest = Math.max(highest ?? 0, code)
    if (begun) return
    const late = setTimeout(() => fail('the shutdown took too long'), shutdownMilliseconds)
    const fail = (message: string, err?: unknown) => {
      log().error({ err }, message)
      exit(1)
    }
    stop(closeConnections(server, silent))
      .then(() => exit(highest ?? 0))
      .catch((err: unknown) => fail('the shutdown failed', err))
      .finally(() => clearTimeout(late))
  }
}

/** Resolves once the requests in progress have their responses, or have taken too long: a body may never arrive. */
async function closeConnections(server: Server, silent: Set<Socket>): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeIdleConnections()
  for (const socket of silent) socket.destroy()
  await resultWithin(requestsMilliseconds, closed)
  server.closeAllConnections()
}

/** Tracks connections without a request yet, such as a browser's preconnect: closeIdleConnections() leaves them open. */
function trackSilent(server: Server): Set<Socket> {
  const silent = new Set<Socket>()
  server.on('connection', (socket) => {
    silent.add(socket)
    socket.once('close', () => silent.delete(socket))
  })
  server.on('request', ({ socket }) => silent.delete(socket))
  return silent
}
