import { en, type Words } from './en'

/** In words of five, which can wrap. */
const filler = (length: number) => ' ·····'.repeat(Math.ceil(length / 6))

function lengthen(messages: unknown): unknown {
  if (typeof messages === 'string') return `⟦${messages}${filler(messages.length * 0.4)}⟧`
  return Object.fromEntries(Object.entries(messages as object).map(([key, message]) => [key, lengthen(message)]))
}

/** English in brackets and longer by 40 %, which shows text that is no message and layouts without room (tests only). */
export const pseudo = lengthen(en) as Words
