import { Command } from 'commander'
import { markArguments, unmarked } from './mark-arguments'
import { closeDatabase } from './open-database'
import { reportError } from './report-error'

export function createProgram(): Command {
  const program = new Command('accounts')
  program.description('Manages the accounts of Latchkey, beside a running server or without one.')
  // Before the first command, which inherits it.
  return (
    program
      .exitOverride()
      // It quotes the word that is wrong.
      .configureOutput({ outputError: (text, write) => write(String(unmarked(text))) })
      .showHelpAfterError('See "accounts help".')
      .configureHelp({
        subcommandTerm: usage,
        commandUsage: (command) => [...namesAbove(command), usage(command)].join(' '),
      })
  )
}

/** Of the commands that a command is below, such as `accounts` and `app`. */
const namesAbove = ({ parent }: Command): string[] => (parent ? [...namesAbove(parent), parent.name()] : [])

/** With the options last, as they are mostly typed. */
const usage = (command: Command) => `${command.name()} ${command.usage().replace(/^(\[options\]) (.+)$/, '$2 $1')}`

/** @param isDefault whether the command above runs it when no subcommand is named */
export const addCommand = (program: Command, name: string, description: string, { isDefault = false } = {}): Command =>
  program
    .command(name, { isDefault })
    .description(description)
    .showHelpAfterError(`See "${[...namesAbove(program), program.name(), 'help', name].join(' ')}".`)
    .option('--json', 'print one JSON value and nothing else')
    .option('--yes', 'do not ask before changes that cannot be undone')

/** Runs the command that was typed. @returns when nothing keeps the process from ending */
export async function run(program: Command): Promise<void> {
  try {
    await program.parseAsync(markArguments(program, process.argv.slice(2)), { from: 'user' })
  } catch (error) {
    process.exitCode = reportError(error)
  }
  await closeDatabase()
}
