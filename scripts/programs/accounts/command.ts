import { Command, InvalidArgumentError } from 'commander'
import type * as z from 'zod'
import { connection, openForCommand } from '@/lib/database/client'
import { closeRedis } from '@/lib/rate-limit/limiter'
import { duration, wholeNumber } from '@/lib/settings/fields'
import { settings } from '@/lib/settings/settings'
import { farServer } from './far'
import { CommandError, escapeControls, reportError } from './terminal'

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

/** The names of the commands above, such as `accounts app` */
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

/** Reads an option as a setting is read; a wrong one is a usage fault. */
export const reader =
  <T>(schema: z.ZodType<T, string | undefined>) =>
  (text: string): T => {
    const { data, error } = schema.safeParse(text)
    if (error) throw new InvalidArgumentError(`It ${error.issues[0]?.message}.`)
    return data as T
  }

/** A number and a unit, such as `7d`, in milliseconds. */
export const readDuration = reader(duration('7d'))

/** The same as it was typed, for an endpoint that takes it so. */
export const readSpan = (text: string): string => {
  readDuration(text)
  return text.replace(/\s/g, '')
}

/** Collects a repeatable option. */
export const collect = (value: string, before: string[] | false | undefined) => [...(before || []), value]

export const readCount = reader(wholeNumber(1, 1, 999_999_999))

/** Marks a word that begins with a hyphen and is an argument. No word that was typed contains NUL. */
const mark = '\0'
const markWord = (word: string) => (word.startsWith('-') ? mark + word : word)

/** A word as it was typed, or several of one argument. */
const unmarked = (word: unknown): unknown =>
  Array.isArray(word) ? word.map(unmarked) : typeof word === 'string' ? word.replace(mark, '') : word

/** Whether a word is an argument wherever it stands: ids and usernames may begin with a hyphen, options have two. */
const isNoOption = (word: string) => /^-[^-]/.test(word) && word !== '-h'

/**
 * Marks what was typed for Commander. Where a command expects an account or a group, the first word that is no option of it
 * is that, whatever it looks like: a script that disables the user `--help` must not print the help, change nothing and
 * exit with 0. The same holds for the words after it.
 */
function markArguments(parent: Command, [name, ...words]: string[]): string[] {
  if (name === undefined) return []
  const command = parent.commands.find((one) => one.name() === name)
  if (command && command.commands.length > 0) return [name, ...markArguments(command, words)]
  const isArgument = command ? isArgumentOf(command, words) : () => false
  return [name, ...words.map((word, index) => (isArgument(word, index) || isNoOption(word) ? markWord(word) : word))]
}

/** Whether a word is one of the command's arguments by its place. */
function isArgumentOf(
  { registeredArguments, options }: Command,
  words: string[],
): (word: string, at: number) => boolean {
  const [argument, ...others] = registeredArguments
  const names = options.flatMap(({ long }) => long ?? [])
  const first = words.findIndex((word) => !names.includes(word))
  const isForAll = names.includes('--all') && words.includes('--all')
  const takesAnyWord = argument !== undefined && ['account', 'group'].includes(argument.name())
  // After `--`, Commander takes every word for an argument.
  if (!takesAnyWord || first < 0 || words[first] === '--' || isForAll) return () => false
  const required = others.filter((other) => other.required && !other.variadic).length
  return (word, at) => at >= first && (at <= first + required || (others.length > required && !names.includes(word)))
}

/** What a command answers on standard output. */
interface Answer {
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
 * @param fromAfar whether it can act on the server of LATCHKEY_URL, and whether it changes something there
 *
 * @param act gets the options, then the arguments
 */
export function perform<O, A extends unknown[]>(
  act: (options: O & CommonOptions, ...args: A) => Promise<Answer>,
  { opensDatabase = true, fromAfar }: { opensDatabase?: boolean; fromAfar?: 'reads' | 'changes' } = {},
) {
  // Commander passes the arguments, the options and the command.
  return async (...given: unknown[]): Promise<void> => {
    const typed = Object.entries(given.at(-2) as object).map(([name, value]) => [name, unmarked(value)])
    const options = Object.fromEntries(typed) as O & CommonOptions
    const server = farServer()
    if (server && !fromAfar)
      throw new CommandError('This command needs the database. Run it on the server, without LATCHKEY_URL.', 2)
    if (server && fromAfar === 'changes') process.stderr.write(`On ${server.origin}:\n`)
    if (!server && settings().backendUrl)
      throw new CommandError('BACKEND_URL is set, so this front end has no accounts. Run the command on its backend.')
    if (!server && opensDatabase) await openDatabase()
    const args = given.slice(0, -2).map(unmarked)
    const { json, text, exitCode = 0 } = await act(options, ...(args as A))
    process.stdout.write(`${escapeControls(options.json ? JSON.stringify(json) : text)}\n`)
    process.exitCode = exitCode
  }
}

let opened = false

/** Opens the database until `closeDatabase()`. @throws Error with a sentence if its schema is of another version */
export async function openDatabase(): Promise<void> {
  opened = true
  await openForCommand()
}

/** The last process that closes SQLite's file checkpoints the write-ahead log into it. */
async function closeDatabase(): Promise<void> {
  if (!opened) return
  closeRedis()
  await connection().then(
    ({ close }) => close(),
    () => undefined,
  )
}
