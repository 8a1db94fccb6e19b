import { type Logger, pino } from 'pino'
import { singleton } from './singleton'

/** Logs JSON lines to standard output. Pass errors as `err`, and never a whole request, a body or a token. */
export function log(): Logger {
  return logTo(1)
}

/** For commands, whose standard output is their answer. Call it before anything logs. */
export function logToStandardError(): void {
  logTo(2)
}

const logTo = (dest: 1 | 2) =>
  singleton('log', () => pino({ base: null, timestamp: pino.stdTimeFunctions.isoTime }, output(dest)))

const maxBacklogBytes = 1_048_576

/**
 * Strangers cause lines, so a full disk must not end the service: what cannot be written is dropped beyond the backlog. Each
 * line is written before its request goes on, so that a flood cannot pile lines up in memory.
 */
function output(dest: 1 | 2) {
  const destination = pino.destination({ dest, sync: true, maxLength: maxBacklogBytes })
  destination.on('error', () => {})
  return destination
}
