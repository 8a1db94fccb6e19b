import type { Command } from 'commander'

/** Marks a word that begins with a hyphen and is an argument. No word that was typed contains NUL. */
const mark = '\0'
const markWord = (word: string) => (word.startsWith('-') ? mark + word : word)

/** A word as it was typed, or several of one argument. */
export const unmarked = (word: unknown): unknown =>
  Array.isArray(word) ? word.map(unmarked) : typeof word === 'string' ? word.replace(mark, '') : word

/** Whether a word is an argument wherever it stands: ids and usernames may begin with a hyphen, options have two. */
const isNoOption = (word: string) => /^-[^-]/.test(word) && word !== '-h'

/**
 * Marks what was typed for Commander. Where a command expects an account or a group, the first word that is no option of it
 * is that, whatever it looks like: a script that disables the user `--help` must not print the help, change nothing and
 * exit with 0. The same holds for the words after it.
 */
export function markArguments(parent: Command, [name, ...words]: string[]): string[] {
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
