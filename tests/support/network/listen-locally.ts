import { once } from 'node:events'
import type { Server as HttpServer } from 'node:http'
import type { AddressInfo, Server } from 'node:net'

export interface Listener {
  readonly port: number
  readonly url: string
  /** Closes the server, and at one that speaks HTTP also the connections that clients keep. */
  close(): Promise<void>
}

/** Has a server listen on a free port of this machine. */
export async function listenLocally(server: Server): Promise<Listener> {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    async close() {
      const closed = once(server, 'close')
      server.close()
      if ('closeAllConnections' in server) (server as HttpServer).closeAllConnections()
      await closed
    },
  }
}
