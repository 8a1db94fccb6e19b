import { CommanderError } from 'commander'
import { isApiError } from '@/lib/api/errors'
import { explained, isUnavailable } from '@/lib/database/errors'
import { errorSentence, fieldSentence } from '@/lib/messages/catalogues'
import { SettingsError } from '@/lib/settings/settings'
import { CommandError } from './command-error'
import { escapeControls } from './escape-controls'

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
