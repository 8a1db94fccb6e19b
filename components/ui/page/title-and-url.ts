'use client'

import { useEffect, useRef } from 'react'
import { keepInTab, readFromTab, removeFromTab } from '@/lib/browser/state/storage'

/** Titles the document after its heading once that has changed without the server, whose title stands until then. */
export function useChangedTitle(heading: string, appName: string): void {
  const titled = useRef(heading)
  useEffect(() => {
    if (titled.current === heading) return
    titled.current = heading
    const title = `${heading} · ${appName}`
    const set = () => {
      if (document.title !== title) document.title = title
    }
    set()
    // React hydrates the server's title after this page, and puts it back.
    const observer = new MutationObserver(set)
    observer.observe(document.head, { childList: true, characterData: true, subtree: true })
    return () => observer.disconnect()
  }, [heading, appName])
}

/**
 * Keeps a typed username when a person presses a link to another of our pages, which has a field for it, and to another language
 * the current query and the fragment, too: the server rendered those links without the fragment, and before any later change of
 * view. It stays in the tab, since logs keep a query. A password is typed again, since it may not be stored.
 */
export const useKeepQueryInLanguageLinks = () => useEffect(keepQuery, [])

const usernameKey = 'latchkey.typed-username'

const usernameField = () => document.querySelector<HTMLInputElement>('main [name=username]:not([readonly])')

function keepQuery(): () => void {
  const typed = readFromTab(usernameKey)
  const field = usernameField()
  if (typed && field && !field.value) field.value = typed
  removeFromTab(usernameKey)
  const keep = ({ target }: Event) => {
    const link = (target as Element).closest<HTMLAnchorElement>('[hreflang],[href^="/"]')
    if (link?.hreflang) {
      const query = new URLSearchParams(window.location.search)
      query.set('locale', link.hreflang)
      link.href = `?${query}${window.location.hash}`
    }
    const username = link && usernameField()?.value
    if (username) keepInTab(usernameKey, username)
  }
  document.addEventListener('click', keep, true)
  return () => document.removeEventListener('click', keep, true)
}
