import { format } from 'node:util'
import { log } from './log'
import { printable } from './printable'

/** Longer text explains no more, and strangers could fill the disk with it. */
const maxTextLength = 2_000

/**
 * Sends the console to the log: Next and React print several lines at a time, with text that a client sent.
 *
 * @param isLogged whether an error that Next prints is in the log already
 */
export function logConsole(isLogged: (value: unknown) => boolean): void {
  Object.assign(console, {
    warn: (...values: unknown[]) => log().warn(printable(format(...values), maxTextLength)),
    error: (...values: unknown[]) => values.some(isLogged) || log().error(printable(format(...values), maxTextLength)),
  })
}
