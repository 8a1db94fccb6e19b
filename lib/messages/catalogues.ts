import type { ErrorCode, FieldError } from '@/lib/api/errors'
import { ar } from './ar'
import { de } from './de'
import { en, type Words } from './en'
import { es } from './es'
import { fill, type Message } from './format/text'
import { fr } from './fr'
import { ja } from './ja'
import type { Locale } from './locales'
import type { PageLanguage } from './page-words'

/** In words of five, which can wrap. */
const filler = (length: number) => ' ·····'.repeat(Math.ceil(length / 6))

function lengthen(messages: unknown): unknown {
  if (typeof messages === 'string') return `⟦${messages}${filler(messages.length * 0.4)}⟧`
  return Object.fromEntries(Object.entries(messages as object).map(([key, message]) => [key, lengthen(message)]))
}

/** English in brackets and longer by 40 %, which shows text that is no message and layouts without room (tests only). */
export const pseudo = lengthen(en) as Words

/**
 * The catalogues, with the type of the English one, which knows each message's placeholders. `Translation` and a test hold the
 * others to it.
 */
const catalogues = { en, de, fr, es, ja, ar, 'en-XA': pseudo } as Record<Locale, unknown> as Record<Locale, Words>

/** All words of a language. For the server only: the linter keeps catalogues out of the pages' scripts. */
export const wordsIn = (locale: Locale): Words => catalogues[locale]

/** The sentence for an error code. */
export const errorSentence = (locale: Locale, code: ErrorCode): string => wordsIn(locale).errors[code]

/** The sentence for what is wrong with a field. */
export function fieldSentence(locale: Locale, { key, ...parameters }: FieldError): string {
  const message: Message = wordsIn(locale).fieldErrors[key]
  return fill(locale, message, parameters as never)
}

/** "Continue", and to which app if it is one. */
export const continueLabel = ({ locale, words }: PageLanguage, app: string | null): string =>
  app === null ? words.account.continue : fill(locale, words.profile.continueTo, { app })
