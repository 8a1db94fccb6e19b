import { log } from './log'

/**
 * What becomes of errors that nothing caught. A rejection is logged, and the process goes on: what awaited it fails, and
 * everybody else's requests do not, so a stranger who finds a way to cause one cannot stop the service with it. An exception
 * may have left any code half done, so it is logged and ends the process, for a supervisor to start another
 * (docs/decisions/0018).
 *
 * @param end ends the process cleanly with status 1; called at most once
 */
export function handleUncaughtErrors(end: () => void): void {
  let ending = false
  process.on('uncaughtException', (thrown) => {
    log().fatal({ err: describe(thrown) }, 'uncaught exception: shutting down')
    if (!ending) end()
    ending = true
  })
  process.on('unhandledRejection', (reason) => log().error({ err: describe(reason) }, 'unhandled rejection'))
}

/** Only errors: anything else that was thrown could be a request or a token. */
const describe = (thrown: unknown) => (thrown instanceof Error ? thrown : new Error(`${typeof thrown} thrown`))
