import { once } from 'node:events'
import type { Server } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { log } from './log'
import { singleton } from './singleton'

const state = () => singleton('own-server', () => ({ runs: false }))

/** Called by server.ts before it loads Next, whose instrumentation and routes run in the same process. */
export function declareOwnServer(): void {
  state().runs = true
}

/** True if server.ts serves requests, rather than Next by itself or a platform such as Vercel. */
export const ownServerRuns = () => state().runs

/** @throws Error if the port is taken */
export async function listen(
  server: Server,
  { host, port }: { host: string | undefined; port: number },
  failure: string,
): Promise<void> {
  await once(server.listen(port, host), 'listening')
  // Without this listener, running out of memory or file descriptors for a connection would be an uncaught exception.
  server.on('error', (err) => log().warn({ err }, failure))
}

/**
 * Logs errors that nothing caught. After a rejection the process goes on, so that a stranger who can cause one cannot stop the
 * service. An exception may have interrupted any code halfway, so it ends the process (decision 0018).
 *
 * @param end ends the process cleanly with status 1; called after each exception
 */
export function handleUncaughtErrors(end: () => void): void {
  process.on('uncaughtException', (thrown) => {
    log().fatal({ err: errorOf(thrown) }, 'uncaught exception: shutting down')
    end()
  })
  process.on('unhandledRejection', (reason) => log().error({ err: errorOf(reason) }, 'unhandled rejection'))
}

/** Makes something thrown safe to log: anything but an error could be a request or a token. */
export const errorOf = (thrown: unknown) => (thrown instanceof Error ? thrown : new Error(`${typeof thrown} thrown`))

/**
 * Keeps V8 from taking several times the memory that is in use, which measured no faster (decision 0029). V8 reads these
 * flags each time it lets a part of the heap grow.
 *
 * @returns a function to call after all modules have loaded
 */
export function limitHeapGrowth(): () => void {
  setFlagsFromString('--heap-growing-percent=100')
  // Loading modules leaves objects that live on; the young generation would grow to its maximum meanwhile and stay there.
  setFlagsFromString('--semi-space-growth-factor=1')
  return () => setFlagsFromString('--semi-space-growth-factor=2')
}
