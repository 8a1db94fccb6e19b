import { settings } from '@/lib/settings/settings'
import { CommandError } from './command-error'
import { escapeControls } from './escape-controls'
import { unmarked } from './mark-arguments'
import { openDatabase } from './open-database'

/** What a command answers on standard output. */
export interface Answer {
  /** With `--json`: the one value that is printed. */
  json: unknown
  /** Without it. */
  text: string
  /** 1 if the answer itself reports something that is wrong; 0 by default. */
  exitCode?: 0 | 1
}

/** The options that every command takes. */
export interface CommonOptions {
  json?: true
  /** Destructive commands ask unless this is set. */
  yes?: true
}

/**
 * A command's action: it checks the settings, opens the database unless `opensDatabase` is false, and prints the answer.
 *
 * @param act gets the options, then the arguments
 */
export function perform<O, A extends unknown[]>(
  act: (options: O & CommonOptions, ...args: A) => Promise<Answer>,
  { opensDatabase = true } = {},
) {
  // Commander passes the arguments, the options and the command.
  return async (...given: unknown[]): Promise<void> => {
    const typed = Object.entries(given.at(-2) as object).map(([name, value]) => [name, unmarked(value)])
    const options = Object.fromEntries(typed) as O & CommonOptions
    if (settings().backendUrl)
      throw new CommandError('BACKEND_URL is set, so this front end has no accounts. Run the command on its backend.')
    if (opensDatabase) await openDatabase()
    const args = given.slice(0, -2).map(unmarked)
    const { json, text, exitCode = 0 } = await act(options, ...(args as A))
    process.stdout.write(`${escapeControls(options.json ? JSON.stringify(json) : text)}\n`)
    process.exitCode = exitCode
  }
}
