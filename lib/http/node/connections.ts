import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Longer than anything of ours takes, a call to the backend of a split deployment included. */
const stalledMilliseconds = 30_000

/** No browser and no proxy sends a request before the last one of its connection is answered. */
const mostUnanswered = 4

const unanswered = new WeakMap<Socket, number>()

/**
 * Bounds what a connection keeps in memory: a client that does not read its responses is disconnected, since Node would
 * keep them for ever. A response that has nothing to send yet may take its time, as a fork's event stream does.
 */
export function disconnectStalled(server: Server): void {
  // Inactivity in both directions: a client that reads slowly is not disconnected.
  server.timeout = stalledMilliseconds
  server.on('timeout', (socket) => {
    if (socket.writableLength > 0 || !unanswered.has(socket)) socket.destroy()
  })
}

/**
 * Whether to answer a request. One that is pipelined behind four unanswered ones disconnects its client: Node reads a
 * connection's requests without end, and would hold every response until its turn comes.
 */
export function admitRequest({ socket }: IncomingMessage, response: ServerResponse): boolean {
  if (socket.destroyed) return false
  const count = (unanswered.get(socket) ?? 0) + 1
  if (count > mostUnanswered) {
    socket.destroy()
    return false
  }
  unanswered.set(socket, count)
  response.once('close', () => {
    const left = (unanswered.get(socket) ?? 0) - 1
    if (left > 0) unanswered.set(socket, left)
    else unanswered.delete(socket)
  })
  return true
}
