import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { RequestListener, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Keep } from '../kept-by-spec'
import { temporaryFolder } from '../machine/temporary-folder'
import { makeCertificate } from '../network/certificate'

/** What stands at the path of a document: the document, or what answers in its place. */
type Answer = object | RequestListener

export interface Documents {
  /** Settings of a server that finds the names below documents.test, and trusts their certificate. */
  env: Record<string, string>
  port: number
  /** The URL of a document, which is there from now on. */
  put(path: string, answer?: Answer, name?: string): string
  /** How often it was asked for. */
  asked(path: string): number
  close(): Promise<void>
}

export const callback = 'https://app.documents.test/callback'

/** The document of a client that nothing is wrong with. */
export const documentOf = (id: string, changes: object = {}) => ({
  client_id: id,
  client_name: 'Agent of Documents',
  redirect_uris: [callback],
  token_endpoint_auth_method: 'none',
  ...changes,
})

export function send(response: ServerResponse, body: string, headers: Record<string, string> = {}) {
  response.writeHead(200, { 'Content-Type': 'application/json', ...headers }).end(body)
}

/** Serves documents by https. `*.documents.test` is at a public address, as far as a server with `env` can tell. */
async function startDocuments(): Promise<Documents> {
  const { certFile, keyFile } = makeCertificate(temporaryFolder('documents'), ['*.documents.test'])
  const answers = new Map<string, Answer>()
  const asked = new Map<string, number>()
  const server = createServer({ cert: readFileSync(certFile), key: readFileSync(keyFile) }, (request, response) => {
    const { url = '', headers } = request
    asked.set(url, (asked.get(url) ?? 0) + 1)
    const answer = answers.get(url)
    if (typeof answer === 'function') answer(request, response)
    else if (answer) send(response, JSON.stringify(documentOf(`https://${headers.host}${url}`, answer)))
    else response.writeHead(404).end()
  })
  // On all addresses of this machine, so that one that the guards let through would get an answer.
  await once(server.listen(0, '0.0.0.0'), 'listening')
  const { port } = server.address() as AddressInfo
  const loaded = pathToFileURL(resolve(import.meta.dirname, '../server/public-names.mjs')).href
  return {
    env: { NODE_OPTIONS: `--import ${loaded}`, NODE_EXTRA_CA_CERTS: certFile },
    port,
    put(path, answer = {}, name = 'app') {
      answers.set(path, answer)
      return `https://${name}.documents.test:${port}${path}`
    },
    asked: (path) => asked.get(path) ?? 0,
    async close() {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}

/** Those that the tests of a spec share. */
export const keepDocuments = (keep: Keep) =>
  keep('documents', async (onEnd) => {
    const documents = await startDocuments()
    onEnd(documents.close)
    return documents
  })
