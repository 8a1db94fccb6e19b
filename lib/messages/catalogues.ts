import type { ErrorCode, FieldError } from '@/lib/api/errors'
import { en, type Words } from './en'
import { fill, type Message } from './format'
import type { Locale } from './locales'

const catalogues: Partial<Record<Locale, Words>> = { en }

/** All words of a language. For the server only: the linter keeps catalogues out of the pages' scripts. */
export const wordsIn = (locale: Locale): Words => catalogues[locale] ?? en

/** The sentence for an error code. */
export const errorSentence = (locale: Locale, code: ErrorCode): string => wordsIn(locale).errors[code]

/** The sentence for what is wrong with a field. */
export function fieldSentence(locale: Locale, { key, ...parameters }: FieldError): string {
  const message: Message = wordsIn(locale).fieldErrors[key]
  return fill(locale, message, parameters as never)
}
