import type { Namespace, Words } from './en'
import type { Clock } from './format/dates'
import type { Locale } from './locales'

/** What the server knows of a page's language. */
export interface PageLanguage {
  locale: Locale
  /** All words: too many for the browser, which gets `wordsOfNamespaces()`. */
  words: Words
  /** The languages that the person can choose instead; none where the setting fixes one. */
  choices: readonly Locale[]
  clock: Clock
}

/** The namespaces of the catalogue that a page was given, in its language. */
export interface PageWords {
  locale: Locale
  clock: Clock
  namespaces: Partial<Words>
}

/** Page words as the server sends them. `namespaces` is JSON: React would visit each value of an object several times. */
export interface SentWords extends Omit<PageWords, 'namespaces'> {
  namespaces: string
}

export const wordsOfNamespaces = (
  { locale, clock, words }: PageLanguage,
  namespaces: readonly Namespace[],
): SentWords => ({
  locale,
  clock,
  namespaces: JSON.stringify(Object.fromEntries(namespaces.map((namespace) => [namespace, words[namespace]]))),
})

export const readNamespaces = (sent: string): PageWords['namespaces'] => JSON.parse(sent)

export function namespaceOf<N extends Namespace>({ namespaces }: PageWords, namespace: N): Words[N] {
  const words = namespaces[namespace]
  if (!words) throw new Error(`this page has no words of the namespace ${namespace}`)
  return words as Words[N]
}
