/**
 * The languages of pages and sentences: their own names, the direction of their script, and the conventions of dates and
 * numbers. Digits are ASCII everywhere: they stand beside codes and usernames, and Node and the browser may disagree on a
 * language's default, which breaks hydration.
 */
const languages = {
  en: { name: 'English', direction: 'ltr', conventions: 'en-GB' },
  de: { name: 'Deutsch', direction: 'ltr', conventions: 'de' },
  fr: { name: 'Français', direction: 'ltr', conventions: 'fr' },
  es: { name: 'Español', direction: 'ltr', conventions: 'es' },
  ja: { name: '日本語', direction: 'ltr', conventions: 'ja' },
  ar: { name: 'العربية', direction: 'rtl', conventions: 'ar-u-ca-gregory-nu-latn' },
  /** For tests: English, longer by 40 % and in brackets. Only the setting chooses it. */
  'en-XA': { name: 'Pseudo', direction: 'ltr', conventions: 'en-GB' },
} as const

export type Locale = keyof typeof languages

/** Those that a person can choose. */
export const locales = ['en', 'de', 'fr', 'es', 'ja', 'ar'] as const satisfies Locale[]

export const isLocale = (text: string): text is (typeof locales)[number] =>
  (locales as readonly string[]).includes(text)

export const languageOf = (locale: Locale) => languages[locale]
