'use client'

import { useEffect } from 'react'

/** Reloads a page restored from the back/forward cache, which may show an account that has since signed out. */
export function BfcacheReload() {
  useEffect(() => {
    const reload = (event: PageTransitionEvent) => event.persisted && window.location.reload()
    window.addEventListener('pageshow', reload)
    return () => window.removeEventListener('pageshow', reload)
  }, [])
  return null
}
