'use client'

import { useSyncExternalStore } from 'react'

/** What stands behind the `#` of the URL, which no server and no proxy sees; undefined on the server. */
export const useFragment = (): string | undefined => useSyncExternalStore(subscribe, read, () => undefined)

const read = () => window.location.hash.slice(1)

function subscribe(changed: () => void) {
  window.addEventListener('hashchange', changed)
  return () => window.removeEventListener('hashchange', changed)
}
