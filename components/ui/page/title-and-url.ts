'use client'

import { useEffect, useRef } from 'react'

/** Titles the document after its heading once that has changed without the server, whose title stands until then. */
export function useChangedTitle(heading: string, appName: string): void {
  const titled = useRef(heading)
  useEffect(() => {
    if (titled.current === heading) return
    titled.current = heading
    document.title = `${heading} · ${appName}`
  }, [heading, appName])
}

/**
 * Keeps the current query and fragment when a person presses a link to another language: the server rendered the links without
 * the fragment, and before any later change of view.
 */
export const useKeepQueryInLanguageLinks = () => useEffect(keepQuery, [])

function keepQuery(): () => void {
  const keep = ({ target }: Event) => {
    const link = (target as Element).closest<HTMLAnchorElement>('a[hreflang]')
    if (!link) return
    const query = new URLSearchParams(window.location.search)
    query.set('locale', link.hreflang)
    link.href = `?${query}${window.location.hash}`
  }
  document.addEventListener('click', keep, true)
  return () => document.removeEventListener('click', keep, true)
}
