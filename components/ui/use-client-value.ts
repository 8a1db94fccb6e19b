'use client'

import { useEffect, useState, useSyncExternalStore } from 'react'

const neverChanges = () => () => undefined

/** What only the browser knows, read at each render; until hydration, what the server rendered. */
export const useClientValue = <T>(read: () => T, onServer: () => T): T =>
  useSyncExternalStore(neverChanges, read, onServer)

/** What only the browser knows and says later; `initial` until then. `load` has to stay the same function. */
export function useClientPromise<T>(load: () => Promise<T>, initial: T): T {
  const [value, setValue] = useState(initial)
  useEffect(() => void load().then(setValue), [load])
  return value
}
