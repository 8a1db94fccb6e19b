import { setTimeout as pause } from 'node:timers/promises'

/** Waits for work, but not for ever: undefined if it takes longer, while the work goes on. @throws the work's error */
export async function resultWithin<T>(milliseconds: number, work: Promise<T>): Promise<T | undefined> {
  const waiting = new AbortController()
  const late = pause(milliseconds, undefined, { signal: waiting.signal, ref: false }).catch(() => undefined)
  return Promise.race([work, late]).finally(() => waiting.abort())
}

/** False also if the check fails or takes longer. */
export const holdsWithin = async (milliseconds: number, check: () => Promise<boolean>): Promise<boolean> =>
  (await resultWithin(
    milliseconds,
    check().catch(() => false),
  )) ?? false

/** Does work one after the other for each key. */
export class KeyedQueue<Key> {
  readonly #last = new Map<Key, Promise<unknown>>()

  add<T>(key: Key, work: () => Promise<T>): Promise<T> {
    const done = (this.#last.get(key) ?? Promise.resolve()).then(work)
    const last = done
      .catch(() => undefined)
      .then(() => {
        if (this.#last.get(key) === last) this.#last.delete(key)
      })
    this.#last.set(key, last)
    return done
  }
}
