import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Silence while a response is being made does not count. */
const stalledMilliseconds = 30_000

/**
 * Longer than proxies keep an idle connection for their next request, mostly a minute: a connection that closes as the
 * request is sent loses it.
 */
const idleMilliseconds = 75_000

/** Browsers and proxies do not pipeline. */
const maxUnanswered = 4

const unanswered = new WeakMap<Socket, Set<ServerResponse>>()

/**
 * Disconnects clients that stopped reading, whose responses Node would keep in memory for ever, and idle ones. A request
 * whose response has nothing to send may wait: a fork's event stream.
 */
export function disconnectStalled(server: Server): void {
  // Inactivity in both directions: a client that reads slowly is not disconnected.
  server.timeout = stalledMilliseconds
  server.keepAliveTimeout = idleMilliseconds
  server.on('timeout', (socket) => {
    if (socket.writableLength > 0 || !unanswered.get(socket)?.size) socket.destroy()
  })
}

/**
 * Disconnects after too many pipelined requests: Node reads them without end and holds each response for its turn.
 *
 * @returns whether the connection has ended
 */
export function disconnectPipelining({ socket }: IncomingMessage, response: ServerResponse): boolean {
  const responses = unanswered.get(socket) ?? trackResponses(socket)
  responses.add(response)
  response.once('close', () => responses.delete(response))
  if (responses.size > maxUnanswered) socket.destroy()
  return socket.destroyed
}

/** Resolves once all responses before this one on its connection have been sent: until then nothing of it can be. */
export async function earlierResponsesSent({ socket }: IncomingMessage, response: ServerResponse): Promise<void> {
  for (const earlier of unanswered.get(socket) ?? []) {
    if (earlier === response) return
    await new Promise((sent) => earlier.once('close', sent))
  }
}

function trackResponses(socket: Socket): Set<ServerResponse> {
  const responses = new Set<ServerResponse>()
  unanswered.set(socket, responses)
  // Before version 24, Node ends only the first: the others would keep their places in our queues, and a stranger could fill
  // those with requests that he has abandoned.
  socket.once('close', () => {
    for (const response of responses) if (!response.socket && !response.destroyed) response.destroy().emit('close')
  })
  return responses
}
