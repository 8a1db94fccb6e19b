import { type Locale, languageOf } from '../locales'
import { perLocale } from './per-locale'

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
