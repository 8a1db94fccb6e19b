'use client'

import { createContext, type ReactNode, useContext, useMemo } from 'react'
import type { Namespace, Words } from '@/lib/messages/en'
import { handOver, namespaceOf, type PageWords, readNamespaces, type SentWords } from '@/lib/messages/page-words'

const Context = createContext<PageWords | null>(null)

/** Gives the components inside, and the browser's code, the words that the server chose for this page. */
export function WordsProvider({ locale, clock, namespaces, children }: SentWords & { children: ReactNode }) {
  const outer = useContext(Context)?.namespaces
  const words = useMemo(
    () => ({ locale, clock, namespaces: { ...outer, ...readNamespaces(namespaces) } }),
    [locale, clock, outer, namespaces],
  )
  handOver(words)
  return <Context value={words}>{children}</Context>
}

function usePageWords(): PageWords {
  const words = useContext(Context)
  if (!words) throw new Error('useWords needs a WordsProvider')
  return words
}

/** A namespace of the catalogue, in the page's language. */
export const useWords = <N extends Namespace>(namespace: N): Words[N] => namespaceOf(usePageWords(), namespace)

export const useLocale = () => usePageWords().locale

export const useGivenClock = () => usePageWords().clock
