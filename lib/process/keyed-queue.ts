/** Work that is done one after the other for each key. */
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
