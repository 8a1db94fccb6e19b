/** A value of this page. `get` and `subscribe` are for `useSyncExternalStore`. */
export function pageState<T>(value: T) {
  let current = value
  const listeners = new Set<() => void>()
  return {
    get: () => current,
    set(next: T): void {
      current = next
      for (const listener of listeners) listener()
    },
    subscribe(listener: () => void): () => void {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
