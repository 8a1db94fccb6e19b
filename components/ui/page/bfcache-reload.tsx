'use client'

import { useEffect } from 'react'

/** Reloads a page restored from the back/forward cache, which may show an account that has since signed out. */
export function BfcacheReload() {
  useEffect(() => {
    const reload = ({ persisted }: PageTransitionEvent) => {
      if (!persisted) return
      // Reloading takes a moment, in which the old page would be readable.
      document.documentElement.hidden = true
      window.location.reload()
    }
    window.addEventListener('pageshow', reload)
    return () => window.removeEventListener('pageshow', reload)
  }, [])
  return null
}
