import { createInterface } from 'node:readline/promises'
import { CommandError } from './command-error'
import type { CommonOptions } from './perform'

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
