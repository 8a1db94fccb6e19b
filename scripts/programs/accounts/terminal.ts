import { createInterface } from 'node:readline/promises'
import { CommanderError } from 'commander'
import { isApiError } from '@/lib/api/errors'
import { explained, isUnavailable } from '@/lib/database/errors'
import { errorSentence, fieldSentence } from '@/lib/messages/catalogues'
import { SettingsError } from '@/lib/settings/settings'

/* What a command says at a terminal, and asks there. */

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
export function reportError(error: unknown): number {
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

/**
 * Asks before something that cannot be undone, unless `--yes` is set.
 *
 * @param question such as `Delete the account alice?`
 * @throws CommandError if the answer is not yes, or if there is no terminal to ask on
 */
export async function confirm(question: string, { yes }: { yes?: true }): Promise<void> {
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
export const escapeControls = (text: string): string => text.replace(unprintable, escaped)

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
