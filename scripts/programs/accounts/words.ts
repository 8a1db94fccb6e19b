import type { Command } from 'commander'

/** Marks a word that begins with a hyphen and is an argument. No word that was typed contains NUL. */
const mark = '\0'
const markWord = (word: string) => (word.startsWith('-') ? mark + word : word)

/** A word as it was typed. */
export const unmarked = (word: unknown) => (typeof word === 'string' ? word.replace(mark, '') : word)

/** Whether a word is an argument wherever it stands: ids and usernames may begin with a hyphen, options have two. */
const isNoOption = (word: string) => /^-[^-]/.test(word) && word !== '-h'

/**
 * Marks what was typed for Commander. Where a command expects an account, the first word that is no option of it is the
 * account, whatever it looks like: a script that disables the user `--help` must not print the help, change nothing and
 * exit with 0.
 */
export function markArguments(program: Command, [name, ...words]: string[]): string[] {
  if (name === undefined) return []
  const command = program.commands.find((one) => one.name() === name)
  const [first, count] = command ? findArguments(command, words) : [0, 0]
  const rest = words.slice(first + count).map((word) => (isNoOption(word) ? mark + word : word))
  return [name, ...words.slice(0, first), ...words.slice(first, first + count).map(markWord), ...rest]
}

/** Where the arguments begin, and how many words they are. */
function findArguments({ registeredArguments: [argument, ...others], options }: Command, words: string[]) {
  const names = options.flatMap(({ long }) => long ?? [])
  const at = words.findIndex((word) => !names.includes(word))
  const isForAll = names.includes('--all') && words.includes('--all')
  // After `--`, Commander takes every word for an argument.
  if (argument?.name() !== 'account' || at < 0 || words[at] === '--' || isForAll) return [0, 0] as const
  return [at, 1 + others.length] as const
}
