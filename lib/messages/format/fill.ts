import { type Locale, languageOf } from '../locales'
import type { Message, Values } from '../message'
import { perLocale } from './per-locale'

const pluralRules = perLocale((conventions) => new Intl.PluralRules(conventions))

const formOf = (locale: Locale, message: Message, count: unknown): string =>
  typeof message === 'string' ? message : (message[pluralRules(locale).select(Number(count))] ?? message.other)

/** A message in parts: its text, and what fills its placeholders. */
export function fillParts<M extends Message, V>(locale: Locale, message: M, values: Values<M, V>): (string | V)[] {
  const given: Record<string, V> = values
  const parts = formOf(locale, message, given.count).split(/\{(\w+)\}/)
  return parts.map((part, index) => (index % 2 === 0 ? part : (given[part] ?? part)))
}

/** Fills in a message's placeholders; numbers are written as the language does. */
export function fill<M extends Message>(locale: Locale, message: M, values: Values<M, string | number>): string {
  const { conventions, direction } = languageOf(locale)
  const write = (value: string | number) => {
    if (typeof value === 'number') return value.toLocaleString(conventions)
    // Isolated (Unicode UAX #9): a name of the other direction would move the words around it.
    return direction === 'rtl' && value ? `\u2068${value}\u2069` : value
  }
  const written = Object.fromEntries(
    Object.entries<string | number>(values).map(([name, value]) => [name, write(value)]),
  )
  const text = formOf(locale, message, (values as { count?: number }).count)
  return text.replace(/\{(\w+)\}/g, (_, name: string) => written[name] ?? '')
}
