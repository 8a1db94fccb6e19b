import { readFileSync } from 'node:fs'
import { type IncomingMessage, request, type ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import { temporaryFolder } from '../machine/temporary-folder'
import { makeCertificate } from './certificate'
import { listenLocally } from './listen-locally'

export interface TlsFront {
  port: number
  /** The flags with which Chromium reaches it under its names. */
  flags: string[]
  /** Where it passes requests on to; the Host header stays. */
  upstream: string
  /** Answers in place of the upstream, if it returns true. */
  intercept: (request: IncomingMessage, response: ServerResponse) => boolean
  close(): Promise<void>
}

/** An https server on loopback with a certificate for these hosts, which Chromium finds at port 443. */
export async function startTlsFront(hosts: string[]): Promise<TlsFront> {
  const folder = temporaryFolder('tls')
  const { pem, keyFile, pin } = makeCertificate(folder, hosts)
  const key = readFileSync(keyFile, 'utf8')
  const front: TlsFront = { port: 0, flags: [], upstream: '', intercept: () => false, close: async () => undefined }
  const server = createServer({ key, cert: pem }, (incoming, outgoing) => {
    if (front.intercept(incoming, outgoing)) return
    const { method, url = '', headers } = incoming
    const asking = request(front.upstream + url, { method, headers, agent: false }, (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers)
      response.pipe(outgoing)
    })
    asking.on('error', () => outgoing.destroy())
    incoming.pipe(asking)
  })
  const { port, close } = await listenLocally(server)
  front.port = port
  front.flags = [
    `--host-resolver-rules=${hosts.map((host) => `MAP ${host}:443 127.0.0.1:${port}`).join(', ')}`,
    `--ignore-certificate-errors-spki-list=${pin}`,
  ]
  front.close = close
  return front
}
