import type { Locale } from '../locales'
import { perLocale } from './per-locale'

const lists = perLocale((conventions) => new Intl.ListFormat(conventions, { type: 'conjunction' }))
const choices = perLocale((conventions) => new Intl.ListFormat(conventions, { type: 'disjunction' }))

/** A list such as "a, b and c". */
export const listed = (locale: Locale, items: string[]): string => lists(locale).format(items)

/** A list such as "a, b or c". */
export const listedAsChoices = (locale: Locale, items: string[]): string => choices(locale).format(items)
