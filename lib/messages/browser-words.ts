import type { Namespace, Words } from './en'
import type { Locale } from './locales'
import { namespaceOf, type PageWords } from './page-words'

let given: PageWords | undefined

/** Hands the page's words to browser code outside React. No effect on the server: each request has its own language. */
export function handOver(words: PageWords): void {
  // Merged with the previous ones: an outer provider may render again without the inner one.
  if (typeof window !== 'undefined') given = { ...words, namespaces: { ...given?.namespaces, ...words.namespaces } }
}

function pageWords(): PageWords {
  if (!given) throw new Error('a WordsProvider hands over the words')
  return given
}

/** A namespace of the words of the browser's page. */
export const pageNamespace = <N extends Namespace>(namespace: N): Words[N] => namespaceOf(pageWords(), namespace)

export const pageLocale = (): Locale => pageWords().locale
