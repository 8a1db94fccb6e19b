import { once } from 'node:events'
import type { Server } from 'node:net'
import { log } from './log'

/** @throws Error if the port is taken */
export async function listen(
  server: Server,
  { host, port }: { host: string | undefined; port: number },
  failure: string,
): Promise<void> {
  await once(server.listen(port, host), 'listening')
  // Without a listener, running out of memory or file descriptors for a connection would be an uncaught exception.
  server.on('error', (err) => log().warn({ err }, failure))
}
