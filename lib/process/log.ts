import { type Logger, pino } from 'pino'
import { singleton } from './singleton'

/** Logs JSON lines to standard output. Pass errors as `err`, and never a whole request, a body or a token. */
export function log(): Logger {
  return singleton('log', () => pino({ base: null, timestamp: pino.stdTimeFunctions.isoTime }, standardOutput()))
}

const longestBacklog = 1_048_576

/**
 * Strangers cause lines, so a full disk must not end the service: what cannot be written is dropped beyond the backlog (in
 * bytes). Each line is written before its request goes on, so that a flood cannot pile lines up in memory.
 */
function standardOutput() {
  const destination = pino.destination({ dest: 1, sync: true, maxLength: longestBacklog })
  destination.on('error', () => {})
  return destination
}
