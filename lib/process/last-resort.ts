import { log } from './log'

/**
 * What becomes of errors that nothing caught. A rejection is logged, and the process goes on: what awaited it fails, and
 * everybody else's requests do not, so a stranger who finds a way to cause one cannot stop the service with it. An exception
 * may have left any code half done, so it is logged and ends the process, for a supervisor to start another
 * (docs/decisions/0018).
 *
 * Call it before Next is loaded: Next's own listeners only print, in a format of their own.
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
  const onRejection = (reason: unknown) => log().error({ err: describe(reason) }, 'unhandled rejection')
  process.on('unhandledRejection', onRejection)
  // Next leaves its listeners out if this says that they are installed, and takes this one for its own.
  Object.assign(globalThis, {
    nextInitializedProcessErrorHandlers: true,
    [Symbol.for('next.unhandledRejectionListener')]: onRejection,
  })
}

/** Removes the listener that Next adds while it prepares, which would print every exception once more. Others' stay. */
export function removeListenerOfNext(): void {
  for (const listener of process.listeners('uncaughtException'))
    if (listener.name === 'logError') process.off('uncaughtException', listener)
}

/** Only errors: anything else that was thrown could be a request or a token. */
const describe = (thrown: unknown) => (thrown instanceof Error ? thrown : new Error(`${typeof thrown} thrown`))
