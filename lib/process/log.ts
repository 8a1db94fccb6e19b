import { format } from 'node:util'
import { type Logger, pino } from 'pino'
import { singleton } from './singleton'

/** Logs JSON lines to standard output. Pass errors as `err`, and never a whole request, a body or a token. */
export function log(): Logger {
  return logTo(1)
}

/** Sends a command's log to standard error, since it prints its answer on standard output. Call it before anything logs. */
export function logToStandardError(): void {
  logTo(2)
}

/** @param dest a descriptor */
export const logTo = (dest: number) =>
  singleton('log', () =>
    pino({ base: null, timestamp: pino.stdTimeFunctions.isoTime, redact: unreadable }, output(dest)),
  )

/** Removes bytes that Node adds to the error of a response which it cannot parse: they may contain a token. */
const unreadable = { paths: ['err.rawPacket'], remove: true }

/** Room for some 4,000 lines. */
const maxBacklogBytes = 1_048_576

const retryMilliseconds = 100

/** How long an exit waits for the log's reader: without progress, and in all. */
const exitMilliseconds = { stalled: 2_000, slow: 4_000 }

/**
 * Writes each line at once, so that none is lost when the process ends. While the reader of the pipe or terminal has stopped, or
 * the disk is full, lines wait in a backlog; beyond it they are dropped and counted. Never waits for the reader: strangers can
 * cause log lines, and would stop the service.
 */
function output(dest: number) {
  if (dest === 1) neverBlock()
  const destination = pino.destination({ dest, sync: true, maxLength: maxBacklogBytes, retryEAGAIN: () => false })
  let fault: NodeJS.ErrnoException | null = null
  let retries: NodeJS.Timeout | undefined
  let writes = 0
  let dropped = 0

  /** @returns true if nothing waits any more */
  const retry = () => {
    fault = null
    destination.write('')
    return fault === null
  }
  /** Logs how many lines were dropped; keeps counting if there is no room for this line either. */
  const reportDropped = () => {
    const lines = dropped
    dropped = 0
    if (lines > 0) log().warn({ lines }, 'lines of the log were dropped, since nothing read them')
    if (dropped > 0) dropped = lines
  }

  // Pino's own listener ends the log for good once its reader has gone; a named pipe may get another one.
  destination.removeAllListeners('error')
  destination.on('error', (error: NodeJS.ErrnoException) => {
    fault = error
    retries ??= setInterval(() => {
      if (retry()) {
        clearInterval(retries)
        retries = undefined
      }
      reportDropped()
    }, retryMilliseconds).unref()
  })
  destination.on('drop', () => (dropped += 1))
  destination.on('write', () => (writes += 1))
  process.once('exit', () => {
    const begun = performance.now()
    let progress = { writes, at: begun }
    // Waits for a slow reader only: not for one that has gone, nor for a full disk.
    while (!retry() ? fault?.code === 'EAGAIN' : dropped > 0) {
      reportDropped()
      const now = performance.now()
      if (writes > progress.writes) progress = { writes, at: now }
      if (now - progress.at > exitMilliseconds.stalled || now - begun > exitMilliseconds.slow) return
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10)
    }
  })
  return destination
}

/** Node makes pipes non-blocking as it opens this stream, but has terminals block: Ctrl+S would stop the service. */
function neverBlock(): void {
  const stdout: { _handle?: { setBlocking?: (blocks: boolean) => void } } = process.stdout as object
  if (process.platform !== 'win32') stdout._handle?.setBlocking?.(false)
}

/** Cuts longer text, which explains no more, and by which strangers could fill the disk. */
const maxTextLength = 2_000

/**
 * Sends the console to the log: Next and React print several lines at a time, with text that a client sent.
 *
 * @param isLogged tells if an error that Next prints is in the log already
 */
export function logConsole(isLogged: (value: unknown) => boolean): void {
  Object.assign(console, {
    warn: (...values: unknown[]) => log().warn(printable(format(...values), maxTextLength)),
    error: (...values: unknown[]) => values.some(isLogged) || log().error(printable(format(...values), maxTextLength)),
  })
}

/** Replaces control characters, which could take over the terminal that shows the log; JSON escapes only the first 32. */
export const printable = (text: string, maxLength: number) =>
  text.slice(0, maxLength).replace(/[^\P{C}\n]/gu, '\u{fffd}')

const quietMilliseconds = 60_000

/** Lets one call a minute through, so that a warning about something that fails on every request cannot fill the disk. */
export function onceAMinute<Values extends unknown[]>(write: (...values: Values) => void): (...values: Values) => void {
  let quietUntil = 0
  return (...values) => {
    if (Date.now() < quietUntil) return
    quietUntil = Date.now() + quietMilliseconds
    write(...values)
  }
}
