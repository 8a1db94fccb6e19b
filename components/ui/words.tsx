'use client'

import { createContext, type ReactNode, useContext, useMemo } from 'react'
import type { Room, Words } from '@/lib/messages/en'
import { handOver, type PageWords, readRooms, roomOf, type SentWords } from '@/lib/messages/page-words'

const Context = createContext<PageWords | null>(null)

/** Gives the components inside, and the browser's code, the words that the server chose for this page. */
export function WordsProvider({ locale, clock, rooms, children }: SentWords & { children: ReactNode }) {
  const outer = useContext(Context)?.rooms
  const words = useMemo(
    () => ({ locale, clock, rooms: { ...outer, ...readRooms(rooms) } }),
    [locale, clock, outer, rooms],
  )
  handOver(words)
  return <Context value={words}>{children}</Context>
}

function usePageWords(): PageWords {
  const words = useContext(Context)
  if (!words) throw new Error('useWords needs a WordsProvider')
  return words
}

/** A room of the catalogue, in the page's language. */
export const useWords = <R extends Room>(room: R): Words[R] => roomOf(usePageWords(), room)

export const useLocale = () => usePageWords().locale

export const useGivenClock = () => usePageWords().clock
