import type { Room, Words } from './en'
import type { Clock } from './format'
import type { Locale } from './locales'

/** What the server knows of a page's language. */
export interface PageLanguage {
  locale: Locale
  /** All words. Too many for the browser: it gets `wordsOfRooms`. */
  words: Words
  /** The languages that the person can choose instead; none where the setting fixes one. */
  choices: readonly Locale[]
  clock: Clock
}

/** The rooms of the catalogue that a page was given, in its language. */
export interface PageWords {
  locale: Locale
  clock: Clock
  rooms: Partial<Words>
}

/** What the server sends of them. The rooms are JSON, since React would visit each value of an object several times. */
export interface SentWords extends Omit<PageWords, 'rooms'> {
  rooms: string
}

export const wordsOfRooms = ({ locale, clock, words }: PageLanguage, rooms: readonly Room[]): SentWords => ({
  locale,
  clock,
  rooms: JSON.stringify(Object.fromEntries(rooms.map((room) => [room, words[room]]))),
})

export const readRooms = (sent: string): PageWords['rooms'] => JSON.parse(sent)

let given: PageWords | undefined

/** Hands the page's words to code that runs in the browser outside React. On the server, every request has its own language. */
export function handOver(words: PageWords): void {
  // Added to those before: an outer provider may render again without the inner one.
  if (typeof window !== 'undefined') given = { ...words, rooms: { ...given?.rooms, ...words.rooms } }
}

function pageWords(): PageWords {
  if (!given) throw new Error('a WordsProvider hands over the words')
  return given
}

/** A room of the words of the browser's page. */
export const pageRoom = <R extends Room>(room: R): Words[R] => roomOf(pageWords(), room)

export const pageLocale = (): Locale => pageWords().locale

export function roomOf<R extends Room>({ rooms }: PageWords, room: R): Words[R] {
  const words = rooms[room]
  if (!words) throw new Error(`this page has no words of the room ${room}`)
  return words as Words[R]
}
