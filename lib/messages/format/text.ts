import { type Locale, languageOf } from '../locales'

/** A message for each plural form that a language has (Unicode CLDR's categories); `other` is every language's. */
export type Plural = { other: string } & Partial<Record<Intl.LDMLPluralRule, string>>

export type Message = string | Plural

type NamesIn<Text> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never

/** What fills a message's placeholders. A plural needs the `count` that chooses its form. */
export type Values<M extends Message, V> = Record<
  M extends string ? NamesIn<M> : NamesIn<M[keyof M & Intl.LDMLPluralRule]> | 'count',
  V
>

/** All of `Names`, in any order. */
type Holding<Names extends string> = (
  Names extends string
    ? (text: `${string}{${Names}}${string}`) => void
    : never
) extends (text: infer Text) => void
  ? Text & string
  : never

type TextLike<M extends string> = [NamesIn<M>] extends [never] ? string : Holding<NamesIn<M>>

/**
 * The catalogue of another language. A key that is missing or superfluous does not compile, nor does a message (of a plural,
 * its form `other`) that lost a placeholder. The other forms are free: "one code". A test finds placeholders that English does
 * not have.
 */
export type Translation<T> = T extends string
  ? TextLike<T>
  : T extends Plural
    ? { other: TextLike<T['other']> } & Partial<Record<Intl.LDMLPluralRule, string>>
    : { [K in keyof T]: Translation<T[K]> }

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

/**
 * The API's "Firefox on Windows" is English; pages show "Firefox · Windows" in every language. No line begins with the dot.
 */
export const browserLabel = (browser: string) => shortName(browser).replace(' on ', '\u00a0· ')

/** As "Firefox (Windows)" in a list, whose other separators the dot would be one of. */
export const listedBrowser = (browser: string) => shortName(browser).replace(/ on (.*)$/, ' ($1)')

/** Without the maker, as people call them all. */
const shortName = (browser: string) => browser.replace(/^Microsoft /, '')
