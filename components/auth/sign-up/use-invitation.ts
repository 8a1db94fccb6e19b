'use client'

import { useEffect, useSyncExternalStore } from 'react'

/**
 * The invitation behind the `#` of the address, which no server and no proxy sees. Null: there is none; undefined: rendered on
 * the server, which cannot know.
 */
export function useInvitation(): string | null | undefined {
  useEffect(keepWithLanguage, [])
  return useSyncExternalStore(subscribe, read, () => undefined)
}

const read = () => new URLSearchParams(window.location.hash.slice(1)).get('invitation')

function subscribe(changed: () => void) {
  window.addEventListener('hashchange', changed)
  return () => window.removeEventListener('hashchange', changed)
}

/** The server writes the links to the page in other languages, and knows of no fragment. */
function keepWithLanguage() {
  const keep = ({ target }: Event) => {
    const link = (target as Element).closest<HTMLAnchorElement>('a[hreflang]')
    if (link) link.hash = window.location.hash
  }
  document.addEventListener('click', keep, true)
  return () => document.removeEventListener('click', keep, true)
}
