import { type Logger, pino } from 'pino'
import { singleton } from './singleton'

/**
 * The logger of the process: JSON lines on standard output. Log named fields, never a whole request, body or token. Pass
 * an error as `err`; it is logged with its causes.
 */
export function log(): Logger {
  return singleton('log', () => pino({ base: null, timestamp: pino.stdTimeFunctions.isoTime }))
}
