'use client'

import { useEffect, useState, useSyncExternalStore } from 'react'

const neverChanges = () => () => undefined

/** What only the browser knows, read at each render; until hydration, what the server rendered. */
export const useClientValue = <T>(read: () => T, onServer: () => T): T =>
  useSyncExternalStore(neverChanges, read, onServer)

/** What the browser answers later; `meanwhile` until it has. `ask` has to stay the same function. */
export function useClientAnswer<T>(ask: () => Promise<T>, meanwhile: T): T {
  const [answer, setAnswer] = useState(meanwhile)
  useEffect(() => void ask().then(setAnswer), [ask])
  return answer
}
