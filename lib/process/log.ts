import { type Logger, pino } from 'pino'
import { singleton } from './singleton'

/** Logs JSON lines to standard output. Pass errors as `err`, and never a whole request, a body or a token. */
export function log(): Logger {
  return logTo(1)
}

/** For commands, which print their answer on standard output. Call it before anything logs. */
export function logToStandardError(): void {
  logTo(2)
}

const logTo = (dest: 1 | 2) =>
  singleton('log', () =>
    pino({ base: null, timestamp: pino.stdTimeFunctions.isoTime, redact: unreadable }, output(dest)),
  )

/** The bytes that Node adds to an error, of a response which it cannot parse: they may have a token. */
const unreadable = { paths: ['err.rawPacket'], remove: true }

const maxBacklogBytes = 1_048_576

/**
 * Strangers can cause log lines, so a full disk must not end the service: beyond the backlog, lines are dropped. Writing is
 * synchronous, so that a flood of requests cannot pile up lines in memory.
 */
function output(dest: 1 | 2) {
  const destination = pino.destination({ dest, sync: true, maxLength: maxBacklogBytes })
  destination.on('error', () => {})
  return destination
}
