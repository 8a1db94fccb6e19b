'use client'

import { Fragment, type ReactNode } from 'react'
import { useLocale } from '@/components/ui/words/words'
import { fill, fillParts, type Message, type Values } from '@/lib/messages/format/text'

/* Not in words.tsx, so that pages without such messages do not load `fill()`. */

/** Fills in a message's placeholders. */
export function useFill() {
  const locale = useLocale()
  return <M extends Message>(message: M, values: Values<M, string | number>) => fill(locale, message, values)
}

/** Fills a message's placeholders with elements. Isolates each, since names can run in the other direction. */
export function Filled<M extends Message>({ message, values }: { message: M; values: Values<M, ReactNode> }) {
  const locale = useLocale()
  return fillParts<M, ReactNode>(locale, message, values).map((part, index) => {
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a message never move.
    return <Fragment key={index}>{index % 2 === 0 ? part : <bdi>{part}</bdi>}</Fragment>
  })
}
