import { type Locale, languageOf } from '../locales'
import type { Message, Values } from '../message'

/** Caches one formatter per language: creating one takes longer than rendering a line. */
export function perLocale<T>(make: (conventions: string) => T): (locale: Locale) => T {
  const made = new Map<Locale, T>()
  return (locale) => {
    const known = made.get(locale) ?? make(languageOf(locale).conventions)
    made.set(locale, known)
    return known
  }
}

const pluralRules = perLocale((conventions) => new Intl.PluralRules(conventions))

const formOf = (locale: Locale, message: Message, count: unknown): string =>
  typeof message === 'string' ? message : (message[pluralRules(locale).select(Number(count))] ?? message.other)

/** Its text, and each placeholder's value as `write` has it; a placeholder without one stays as its name. */
function partsOf<V, W>(locale: Locale, message: Message, values: Record<string, V>, write: (value: V) => W) {
  const parts = formOf(locale, message, values.count).split(/\{(\w+)\}/)
  return parts.map((part, index) => {
    const value = index % 2 === 0 ? undefined : values[part]
    return value === undefined ? part : write(value)
  })
}

/** A message in parts: its text, and what fills its placeholders. */
export const fillParts = <M extends Message, V>(locale: Locale, message: M, values: Values<M, V>): (string | V)[] =>
  partsOf<V, V>(locale, message, values, (value) => value)

/** Fills in a message's placeholders; numbers are written as the language does. */
export function fill<M extends Message>(locale: Locale, message: M, values: Values<M, string | number>): string {
  const { conventions, direction } = languageOf(locale)
  const write = (value: string | number) => {
    if (typeof value === 'number') return value.toLocaleString(conventions)
    // Isolated (Unicode UAX #9): a name of the other direction would move the words around it.
    return direction === 'rtl' && value ? `\u2068${value}\u2069` : value
  }
  return partsOf<string | number, string>(locale, message, values, write).join('')
}

const lists = perLocale((conventions) => new Intl.ListFormat(conventions, { type: 'conjunction' }))
const choices = perLocale((conventions) => new Intl.ListFormat(conventions, { type: 'disjunction' }))

/** A list such as "a, b and c". */
export const listed = (locale: Locale, items: string[]): string => lists(locale).format(isolated(locale, items))

/** A list such as "a, b or c". */
export const listedAsChoices = (locale: Locale, items: string[]): string =>
  choices(locale).format(isolated(locale, items))

/** In a script from right to left, names of the other direction would otherwise turn the list around (UAX #9: FSI, PDI). */
const isolated = (locale: Locale, items: string[]) =>
  languageOf(locale).direction === 'rtl' ? items.map((item) => `\u2068${item}\u2069`) : items

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
export const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (character) => escapes[character] ?? '')
