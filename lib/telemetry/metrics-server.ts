import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { listen } from '@/lib/process/listen'

/**
 * Shows the metrics at `/metrics`, on an address of its own: the service's own address is open to everyone. Not the
 * exporter's server, which could not be told apart from the service's when requests are measured.
 *
 * @throws Error if the port is taken
 */
export async function startMetricsServer(
  { host, port }: { host: string; port: number },
  show: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<Server> {
  const server = createServer((request, response) => {
    const [path] = request.url?.split('?', 1) ?? []
    if (path === '/metrics' && request.method === 'GET') return show(request, response)
    if (path === '/metrics') response.writeHead(405, { Allow: 'GET' }).end()
    else response.writeHead(404).end()
  })
  // It must not keep a process alive that has nothing else to do.
  server.unref()
  await listen(server, { host, port }, 'could not show the metrics').catch(({ message }: Error) => {
    throw new Error(`OTEL_EXPORTER_PROMETHEUS_PORT must be a free port: ${message}`)
  })
  return server
}
