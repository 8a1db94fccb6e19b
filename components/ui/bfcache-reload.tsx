'use client'

import { useEffect } from 'react'

/** Fetches the page again when the back button brings it from memory: after signing out it must not show what it showed before. */
export function BfcacheReload() {
  useEffect(() => {
    const reload = (event: PageTransitionEvent) => event.persisted && window.location.reload()
    window.addEventListener('pageshow', reload)
    return () => window.removeEventListener('pageshow', reload)
  }, [])
  return null
}
