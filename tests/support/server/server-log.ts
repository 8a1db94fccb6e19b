import type { Answer } from '../client'
import type { Server } from './server'

/** What a server has written since it was ready. Its life ends here: nothing may arrive later. */
export async function logSinceReady(server: Server): Promise<string> {
  await server.kill('SIGTERM')
  const [, since] = server.output().split(/^.*Latchkey is ready.*\n/m)
  if (since === undefined) throw new Error(`The server was not ready: ${server.output()}`)
  return since
}

/** By which the security log names the request of a response. */
export const requestIdOf = ({ headers }: Answer) => headers['x-request-id']

/** The lines of the security log in what a server or a command has written. */
export const logLines = (output: string) =>
  output
    .split('\n')
    .filter((line) => line.startsWith('{"level"'))
    .map((line) => JSON.parse(line))
