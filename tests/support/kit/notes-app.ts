import { randomBytes } from 'node:crypto'
import { createServer, type ServerResponse } from 'node:http'
import { latchkey, type Options, requireUser } from '../../../packages/kit/src/express'
import { listenLocally } from '../network/listen-locally'
import { accountsJson } from '../operator/accounts-command'
import type { Server } from '../server/server'

export interface NotesApp {
  url: string
  close(): Promise<void>
}

/** An app that latchkey-kit signs people in to. Each of its pages greets them, and one is for the group `staff`. */
export async function startNotesApp(server: Server, options: Options = {}): Promise<NotesApp> {
  const { url, close, configure } = await serveNotes()
  const words = ['app', 'add', `Notes ${url}`, `${url}/auth/callback`]
  const { app, secret } = await accountsJson(server, ...words)
  configure({ issuer: server.origin, clientId: app.id, clientSecret: secret, ...options })
  return { url, close }
}

/** The same app before Latchkey knows it, on a port that is then part of its redirect URI. */
export async function serveNotes() {
  let use: ReturnType<typeof latchkey>
  const everyone = requireUser()
  const staff = requireUser({ group: 'staff' })
  const { port, close } = await listenLocally(
    createServer((request, response) => {
      const guard = request.url === '/staff' ? staff : everyone
      const greet = () => response.end(`Notes of ${(request as { user?: { name: string } }).user?.name}`)
      if (request.url?.includes('prompt%3Dlogin')) askForPasskey(response)
      use(request, response, (error) => (error ? response.destroy() : guard(request, response, greet)))
    }),
  )
  const url = `http://localhost:${port}`
  const configure = (options: Options) => {
    use = latchkey({ sessionSecret: randomBytes(32).toString('hex'), appUrl: url, ...options })
  }
  return { url, port, close, configure }
}

/** Adds `prompt=login` to the authorization request that the app redirects to. */
function askForPasskey(response: ServerResponse) {
  const set = response.setHeader.bind(response)
  response.setHeader = (name, value) => set(name, name === 'location' ? `${value}&prompt=login` : value)
}
