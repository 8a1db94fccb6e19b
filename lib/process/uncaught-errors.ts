import { log } from './log'

/**
 * Logs errors that nothing caught. After a rejection the process goes on, so that a stranger who can cause one cannot stop the
 * service. An exception may have interrupted any code halfway, so it ends the process (docs/decisions/0018).
 *
 * @param end ends the process cleanly with status 1; called after each exception
 */
export function handleUncaughtErrors(end: () => void): void {
  process.on('uncaughtException', (thrown) => {
    log().fatal({ err: describe(thrown) }, 'uncaught exception: shutting down')
    end()
  })
  process.on('unhandledRejection', (reason) => log().error({ err: describe(reason) }, 'unhandled rejection'))
}

/** Only errors: anything else that was thrown could be a request or a token. */
const describe = (thrown: unknown) => (thrown instanceof Error ? thrown : new Error(`${typeof thrown} thrown`))
