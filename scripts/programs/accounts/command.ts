import { createInterface } from 'node:readline/promises'
import { Command, CommanderError, InvalidArgumentError } from 'commander'
import type * as z from 'zod'
import { isApiError } from '@/lib/api/errors'
import { connection, openForCommand } from '@/lib/database/client'
import { explained, isUnavailable } from '@/lib/database/errors'
import { errorSentence, fieldSentence } from '@/lib/messages/catalogues'
import { closeRedis } from '@/lib/rate-limit/limiter'
import { duration, wholeNumber } from '@/lib/settings/fields'
import { SettingsError, settings } from '@/lib/settings/settings'

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

/** Says on standard error why a command failed. @returns the exit code */
function reportError(error: unknown): number {
  // Commander has said what is wrong, or what was asked.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
  process.stderr.write(`${escapeControls(sentences(error).join('\n'))}\n`)
  return error instanceof CommandError ? error.exitCode : 1
}

function sentences(error: unknown): string[] {
  if (error instanceof SettingsError) return ['Some settings are invalid:', ...error.faults.map((line) => `  ${line}`)]
  if (isApiError(error)) {
    if (error.code === 'not_found') return ['The account was deleted meanwhile.']
    const fields = Object.values(error.details.fields ?? {})
    return fields.length > 0 ? fields.map((field) => fieldSentence('en', field)) : [errorSentence('en', error.code)]
  }
  const known = explained(error)
  if (known !== error && known instanceof Error) return [known.message]
  if (isUnavailable(error)) return ['The database cannot be reached, or was busy for too long. Check DATABASE_URL.']
  // Prisma's messages end with the reason, after the statement and where it stands in the code.
  const message = error instanceof Error ? error.message : String(error)
  return [message.trim().split('\n').at(-1) ?? message]
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

/** Read before .env files are, which belong to a server here: the environment alone names another one. */
const named = { url: process.env.LATCHKEY_URL || undefined, key: process.env.LATCHKEY_KEY || undefined }

/** A server that commands act on by its API. */
export interface FarServer {
  origin: string
  key: string
}

const loopback = /^(localhost|127\.0\.0\.1|\[::1\])$/

/** What LATCHKEY_URL and LATCHKEY_KEY name; null for the database of the settings. @throws CommandError */
export function farServer(): FarServer | null {
  const { url, key } = named
  if (url === undefined) return null
  const parsed = URL.canParse(url) ? new URL(url) : null
  if (!parsed || ![parsed.origin, `${parsed.origin}/`].includes(url))
    throw new CommandError(
      `LATCHKEY_URL must be an origin such as https://id.example.com, and is ${JSON.stringify(url)}.`,
      2,
    )
  if (parsed.protocol !== 'https:' && !(parsed.protocol === 'http:' && loopback.test(parsed.hostname)))
    throw new CommandError(
      'LATCHKEY_URL must be https, unless its host is this machine: the key would be sent in the clear.',
      2,
    )
  if (key === undefined)
    throw new CommandError('LATCHKEY_URL is set, and LATCHKEY_KEY is not. `key add` on the server makes a key.', 2)
  if (!/^lko_[\w-]{43}$/.test(key))
    throw new CommandError('LATCHKEY_KEY is no key of an operator: those are lko_ and 43 characters.')
  return { origin: parsed.origin, key }
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

/** @throws CommandError if there is none, or if the reference is the id of one and the name of another */
export function onlyMatch<T extends { id: string } & Record<N, string>, N extends string>(
  reference: string,
  [found, other]: T[],
  { kind, name }: { kind: string; name: N },
): T {
  // Exit code 2: a word that begins with a hyphen was probably meant as an option.
  if (!found)
    throw new CommandError(`There is no ${kind} ${JSON.stringify(reference)}.`, reference.startsWith('-') ? 2 : 1)
  if (!other) return found
  const [byId, byName] = found.id === reference ? [found, other] : [other, found]
  throw new CommandError(
    `${reference} is the ID of the ${kind} ${byId[name]} and the ${name} of the ${kind} ${byName.id}. Say id:${reference} or name:${reference}.`,
  )
}

/**
 * Asks before something that cannot be undone, unless `--yes` is set.
 *
 * @param question such as `Delete the account alice?`
 * @throws CommandError if the answer is not yes, or if there is no terminal to ask on
 */
export async function confirm(question: string, { yes }: CommonOptions): Promise<void> {
  if (yes) return
  if (!process.stdin.isTTY) throw new CommandError(`${question} There is no terminal to ask on, so add --yes.`)
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  // Ctrl+C and Ctrl+D close it, and the question would stay unanswered.
  const closed = new Promise<string>((resolve) => terminal.once('close', () => resolve('')))
  const answer = await Promise.race([terminal.question(`${question} Type yes: `), closed])
  terminal.close()
  if (answer.trim().toLowerCase() !== 'yes') throw new CommandError('Nothing was changed.')
}

/**
 * What a terminal obeys or does not show: controls, bidirectional ones too, line separators, tags, lone surrogates. Line feeds
 * are the command's own, and joiners belong to emoji and words.
 */
const unprintable = /(?![\n\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu

/**
 * An answer as an operator's terminal may get it: what a client named must not turn or overwrite what stands beside it. The
 * escapes are those of JSON, so that JSON keeps its meaning.
 */
const escapeControls = (text: string): string => text.replace(unprintable, escaped)

const escaped = (character: string) =>
  Array.from({ length: character.length }, (_, index) => {
    const unit = character.charCodeAt(index).toString(16)
    return `\\u${unit.padStart(4, '0')}`
  }).join('')

/** Rows as columns of text, each as wide as its widest cell. */
export function table(rows: string[][]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
