import { Command, CommanderError } from 'commander'
import { isApiError } from '@/lib/api/errors'
import { database } from '@/lib/database/client'
import { isUnavailable } from '@/lib/database/errors'
import { openForCommand } from '@/lib/database/open-for-command'
import { errorSentence, fieldSentence } from '@/lib/messages/catalogues'
import { SettingsError, settings } from '@/lib/settings/settings'
import { printable } from './printable'
import { markArguments, unmarked } from './words'

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

/** A failure in a sentence for the operator, and nothing on standard output. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
  readonly exitCode: 1 | 2

  /** @param exitCode 2 if it was typed wrong */
  constructor(sentence: string, exitCode: 1 | 2 = 1) {
    super(sentence)
    this.exitCode = exitCode
  }
}

export function createProgram(): Command {
  const program = new Command('accounts')
  program.description('Manages the accounts of Latchkey, beside a running server or without one.')
  // Before the first command, which inherits it.
  return (
    program
      .exitOverride()
      // It quotes the word that is wrong.
      .configureOutput({ outputError: (text, write) => write(String(unmarked(text))) })
      .showHelpAfterError('"help <command>" says how it is used.')
      .configureHelp({
        subcommandTerm: usage,
        commandUsage: (command) => `${command.parent?.name() ?? ''} ${usage(command)}`.trim(),
      })
  )
}

/** With the options last, as they are mostly typed. */
const usage = (command: Command) => `${command.name()} ${command.usage().replace(/^(\[options\]) (.+)$/, '$2 $1')}`

/** @param isDefault whether the command above it does this by itself */
export const addCommand = (program: Command, name: string, description: string, isDefault = false): Command =>
  program
    .command(name, { isDefault })
    .description(description)
    .option('--json', 'print one JSON value and nothing else')
    .option('--yes', 'do not ask')

let opened = false

/** Opens the database, which `run` closes. @throws Error with a sentence if its schema is of another version */
export async function openDatabase(): Promise<void> {
  opened = true
  await openForCommand()
}

/**
 * A command's action: it checks the settings, opens the database unless told otherwise, and prints the answer.
 *
 * @param act gets the options, then the arguments
 */
export function perform<O, A extends unknown[]>(
  act: (options: O & CommonOptions, ...words: A) => Promise<Answer>,
  { opensDatabase = true } = {},
) {
  // Commander passes the arguments, the options and the command.
  return async (...given: unknown[]): Promise<void> => {
    const typed = Object.entries(given.at(-2) as object).map(([name, value]) => [name, unmarked(value)])
    const options = Object.fromEntries(typed) as O & CommonOptions
    if (settings().backendUrl)
      throw new CommandError('BACKEND_URL is set, so this front end has no accounts. Run the command on its backend.')
    if (opensDatabase) await openDatabase()
    const words = given.slice(0, -2).map(unmarked)
    const { json, text, exitCode = 0 } = await act(options, ...(words as A))
    process.stdout.write(`${printable(options.json ? JSON.stringify(json) : text)}\n`)
    process.exitCode = exitCode
  }
}

/** Runs the command that was typed. @returns when nothing keeps the process from ending */
export async function run(program: Command): Promise<void> {
  try {
    await program.parseAsync(markArguments(program, process.argv.slice(2)), { from: 'user' })
  } catch (error) {
    process.exitCode = report(error)
  }
  // The last that closes the embedded database writes its log back into the file.
  if (opened)
    await database().then(
      (db) => db.$disconnect(),
      () => undefined,
    )
}

/** @returns the exit code */
function report(error: unknown): number {
  // Commander has said what is wrong, or what was asked.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
  process.stderr.write(`${printable(sentences(error).join('\n'))}\n`)
  return error instanceof CommandError ? error.exitCode : 1
}

function sentences(error: unknown): string[] {
  if (error instanceof SettingsError) return ['Some settings are invalid:', ...error.faults.map((line) => `  ${line}`)]
  if (isApiError(error)) {
    if (error.code === 'not_found') return ['The account was deleted meanwhile.']
    const fields = Object.values(error.details.fields ?? {})
    return fields.length > 0 ? fields.map((field) => fieldSentence('en', field)) : [errorSentence('en', error.code)]
  }
  if (isUnavailable(error)) return ['The database cannot be reached, or was busy for too long. Check DATABASE_URL.']
  // Prisma's messages end with the reason, after the statement and where it stands in the code.
  const message = error instanceof Error ? error.message : String(error)
  return [message.trim().split('\n').at(-1) ?? message]
}
