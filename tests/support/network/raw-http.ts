import { once } from 'node:events'
import { connect, type TcpNetConnectOpts } from 'node:net'
import { text } from 'node:stream/consumers'
import { type ConnectionOptions, connect as connectByTls } from 'node:tls'

/** A request as bytes, for what no HTTP client would send. */
export function rawRequest(method: string, target: string, headers: Record<string, string> = {}, body = ''): string {
  const length = 'Transfer-Encoding' in headers ? {} : { 'Content-Length': String(Buffer.byteLength(body)) }
  const all = { Host: 'localhost', Connection: 'close', ...length, ...headers }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${method} ${target} HTTP/1.1\r\n${lines.join('')}\r\n${body}`
}

/** Sends bytes over a connection of its own and returns everything that comes back until the server closes it. */
export async function exchange(
  port: number,
  bytes: string,
  { tls, ...options }: Partial<TcpNetConnectOpts> & { tls?: ConnectionOptions } = {},
): Promise<string> {
  const where = { host: '127.0.0.1', ...options, port }
  const socket = tls ? connectByTls({ ...where, ...tls }) : connect(where)
  let received = ''
  socket.on('data', (chunk) => {
    received += chunk.toString('latin1')
  })
  socket.write(bytes)
  await once(socket, 'close')
  return received
}

/** Sends bytes and resets the connection (TCP RST) once they have left. */
export async function sendAndReset(port: number, bytes: string): Promise<void> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  await new Promise((done) => socket.write(bytes, done))
  socket.resetAndDestroy()
}

/** Sends the head of a request, and waits until the server reads its body. */
async function beginUpload(port: number, target: string, headers: Record<string, string>) {
  const socket = connect(port, '127.0.0.1')
  socket.write(rawRequest('POST', target, { ...headers, Expect: '100-continue' }))
  const [interim] = await once(socket, 'data')
  if (statusOf(interim.toString('latin1')) !== 100) throw new Error(`not read: ${interim}`)
  return socket
}

/** Begins an upload and resets the connection once the server reads its body, which has only begun. */
export async function beginAndReset(port: number, target: string, headers: Record<string, string>): Promise<void> {
  const socket = await beginUpload(port, target, { ...headers, 'Content-Length': '1000' })
  await new Promise((done) => socket.write('{', done))
  socket.resetAndDestroy()
}

/** Begins a request that the server has in progress until it is finished. */
export async function beginRequest(port: number, target: string, body: object) {
  const bytes = JSON.stringify(body)
  const headers = { 'Content-Type': 'application/json', 'Content-Length': String(Buffer.byteLength(bytes)) }
  const socket = await beginUpload(port, target, headers)
  const response = text(socket)
  return {
    /** Sends the body. @returns the status */
    async finish() {
      socket.write(bytes)
      return statusOf(await response)
    },
  }
}

export const statusOf = (response: string) => Number(/^HTTP\/1\.1 (\d{3}) /.exec(response)?.[1])

/** Header lines by lower-case name; a name that occurs twice has both values. */
export function headersOf(response: string): Record<string, string[]> {
  const [head = ''] = response.split('\r\n\r\n', 1)
  const headers: Record<string, string[]> = {}
  for (const line of head.split('\r\n').slice(1)) {
    const [name = '', value = ''] = line.split(/: ?(.*)/s)
    headers[name.toLowerCase()] = [...(headers[name.toLowerCase()] ?? []), value]
  }
  return headers
}
