import type { ServerResponse } from 'node:http'

/**
 * Calls a function right before a response's head is sent. `end()` would be too late: Next's compression sends the head before.
 *
 * @param change may set headers, and returns the status to send
 */
export function beforeHead(response: ServerResponse, change: (status: number) => number): void {
  const writeHead = response.writeHead.bind(response) as (status: number, ...rest: unknown[]) => ServerResponse
  response.writeHead = (status: number, ...rest: unknown[]) => writeHead(change(status), ...rest)
}
