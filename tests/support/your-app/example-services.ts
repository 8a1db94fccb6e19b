import { type ChildProcess, spawn } from 'node:child_process'
import { freePort, untilConnectable } from '../machine/ports'
import { killOnExit } from '../machine/processes'
import { findPython } from '../machine/python'
import { APP, LATCHKEY, placeSnippet } from './snippets'

/** The services of docs/your-app/access-tokens.md, and what runs each. */
export const SERVICES = { 'api.mjs': process.execPath, 'api.py': findPython() ?? 'python3' }

export interface Service {
  url: string
  /** Asks who the bearer of this access token is. */
  ask(token?: string): Promise<{ status: number; body: unknown }>
  stop(): void
}

/** Starts a service of docs/your-app/access-tokens.md as a process. */
export async function startService(
  file: keyof typeof SERVICES,
  { latchkey, app }: { latchkey: string; app: string },
): Promise<Service> {
  const port = await freePort()
  const path = placeSnippet(file, { [LATCHKEY]: latchkey, [APP]: app, '8080': `${port}` })
  const child: ChildProcess = spawn(SERVICES[file], [path], { stdio: 'ignore' })
  killOnExit(child)
  await untilConnectable(port, child)
  const url = `http://127.0.0.1:${port}`
  return {
    url,
    async ask(token) {
      const headers = { ...(token !== undefined && { Authorization: `Bearer ${token}` }) }
      const response = await fetch(`${url}/api/me`, { headers })
      return { status: response.status, body: response.ok ? await response.json() : null }
    },
    stop: () => void child.kill(),
  }
}
