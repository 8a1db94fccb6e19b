import { type Locale, languageOf } from '../locales'

/** Caches one formatter per language: creating one takes longer than rendering a line. */
export function perLocale<T>(make: (conventions: string) => T): (locale: Locale) => T {
  const made = new Map<Locale, T>()
  return (locale) => {
    const known = made.get(locale) ?? make(languageOf(locale).conventions)
    made.set(locale, known)
    return known
  }
}
