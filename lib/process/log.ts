import { type Logger, pino } from 'pino'
import { singleton } from './singleton'

/**
 * The one logger: JSON lines on standard output. Never pass it a request, a body or a token; name the fields you log.
 * Errors are logged under `err` with their causes.
 */
export function log(): Logger {
  return singleton('log', () => pino({ base: null, timestamp: pino.stdTimeFunctions.isoTime }))
}
