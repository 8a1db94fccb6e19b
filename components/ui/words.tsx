'use client'

import { createContext, Fragment, type ReactNode, useContext, useMemo } from 'react'
import type { Room, Words } from '@/lib/messages/en'
import { fill, fillParts, type Message, type Values } from '@/lib/messages/format'
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

/** Fills in a message's placeholders. */
export function useFill() {
  const { locale } = usePageWords()
  return <M extends Message>(message: M, values: Values<M, string | number>) => fill(locale, message, values)
}

/** A message whose placeholders are filled with elements. Each is isolated, since names can be of the other direction. */
export function Filled<M extends Message>({ message, values }: { message: M; values: Values<M, ReactNode> }) {
  const { locale } = usePageWords()
  return fillParts<M, ReactNode>(locale, message, values).map((part, index) => {
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a message never move.
    return <Fragment key={index}>{index % 2 === 0 ? part : <bdi>{part}</bdi>}</Fragment>
  })
}
