'use client'

import { useSyncExternalStore } from 'react'

/**
 * The invitation behind the `#` of the URL, which no server and no proxy sees. Null: there is none; undefined: rendered on
 * the server, which cannot know.
 */
export function useInvitation(): string | null | undefined {
  return useSyncExternalStore(subscribe, read, () => undefined)
}

const read = () => new URLSearchParams(window.location.hash.slice(1)).get('invitation')

function subscribe(changed: () => void) {
  window.addEventListener('hashchange', changed)
  return () => window.removeEventListener('hashchange', changed)
}
