import { log } from './log'

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

/** What may be logged of something thrown. Only errors: anything else could be a request or a token. */
export const errorOf = (thrown: unknown) => (thrown instanceof Error ? thrown : new Error(`${typeof thrown} thrown`))
