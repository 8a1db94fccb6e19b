import type { Command } from 'commander'

/** Marks a word that begins with a hyphen and is an argument. No word that was typed contains NUL. */
const mark = '\0'
const markWord = (word: string) => (word.startsWith('-') ? mark + word : word)

/** A word as it was typed. */
export const unmarked = (word: unknown) => (typeof word === 'string' ? word.replace(mark, '') : word)

/** Whether a word is an argument wherever it stands: ids and usernames may begin with a hyphen, options have two. */
const isNoOption = (word: string) => /^-[^-]/.test(word) && word !== '-h'

/**
 * Marks what was typed for Commander. Where a command expects an account, its first words are arguments whatever they look
 * like: a script that disables the user `--help` must not print the help, change nothing and exit with 0.
 */
export function markArguments(program: Command, [name, ...words]: string[]): string[] {
  if (name === undefined) return []
  const command = program.commands.find((one) => one.name() === name)
  const count = command ? countArguments(command, words) : 0
  const rest = words.slice(count).map((word) => (isNoOption(word) ? mark + word : word))
  return [name, ...words.slice(0, count).map(markWord), ...rest]
}

/** How many of the first words are arguments whatever they look like. */
function countArguments({ registeredArguments: [first, ...others], options }: Command, words: string[]): number {
  // After `--`, Commander takes every word for an argument.
  if (first?.name() !== 'account' || words[0] === '--') return 0
  const isForAll = options.some(({ long }) => long === '--all') && words.includes('--all')
  return isForAll ? 0 : 1 + others.length
}
