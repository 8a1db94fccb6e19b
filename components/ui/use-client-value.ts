'use client'

import { useEffect, useState, useSyncExternalStore } from 'react'

const neverChanges = () => () => undefined

/** A value that only the browser has, read at each render; until hydration, the server's. */
export const useClientValue = <T>(read: () => T, onServer: () => T): T =>
  useSyncExternalStore(neverChanges, read, onServer)

/**
 * A value that only the browser has and loads asynchronously; `initial` until then. `load` must be the same function at each
 * render.
 */
export function useClientPromise<T>(load: () => Promise<T>, initial: T): T {
  const [value, setValue] = useState(initial)
  useEffect(() => void load().then(setValue), [load])
  return value
}
