import { type Logger, pino } from 'pino'
import { singleton } from './singleton'

/** Logs JSON lines to standard output. Pass errors as `err`, and never a whole request, a body or a token. */
export function log(): Logger {
  return singleton('log', () => pino({ base: null, timestamp: pino.stdTimeFunctions.isoTime }))
}
