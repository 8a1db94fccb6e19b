import { once } from 'node:events'
import type { Server } from 'node:net'
import { log } from './log'

/**
 * Resolves once the server listens. Later errors are logged as `failure`, such as a connection that the process has no memory
 * or file descriptor for: without a listener each would be an uncaught exception.
 *
 * @throws Error if the port is taken
 */
export async function listen(
  server: Server,
  { host, port }: { host: string | undefined; port: number },
  failure: string,
): Promise<void> {
  await once(server.listen(port, host), 'listening')
  server.on('error', (err) => log().warn({ err }, failure))
}
