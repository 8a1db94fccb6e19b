'use client'

import { createContext, type ReactNode, useContext, useEffect } from 'react'
import type { PageFooterProps } from '@/components/ui/page/card-frame'

type SiteOfPage = Pick<PageFooterProps, 'site'> & Pick<PageFooterProps['language'], 'choices'>

const Context = createContext<SiteOfPage | null>(null)

/** Gives `FailedPage` the frame of a page, since it renders in the browser, without a server component to pass that in. */
export const SiteProvider = ({ children, ...site }: SiteOfPage & { children: ReactNode }) => (
  <Context value={site}>{children}</Context>
)

export function useSite(): SiteOfPage {
  const site = useContext(Context)
  if (!site) throw new Error('useSite needs a SiteProvider')
  return site
}

/**
 * Lets browsers translate the page. Their translators replace texts by elements. React, which would insert before a text that
 * is gone, or remove it, fails at that and throws away the whole page, with new recovery codes on it.
 */
export function AllowTranslation() {
  useEffect(() => {
    const { insertBefore, removeChild } = Node.prototype
    Node.prototype.insertBefore = function <T extends Node>(this: Node, node: T, before: Node | null): T {
      return insertBefore.call(this, node, before?.parentNode === this ? before : null) as T
    }
    Node.prototype.removeChild = function <T extends Node>(this: Node, child: T): T {
      return child.parentNode === this ? (removeChild.call(this, child) as T) : child
    }
    return () => void Object.assign(Node.prototype, { insertBefore, removeChild })
  }, [])
  return null
}

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

/** Replays the press that `PressKeeper` kept. Rendered last, so that all other effects have run. */
export function ReplayPress() {
  // Waits for a microtask, because React hydrates nothing during an effect, and the pressed button may be inside a Suspense.
  useEffect(() => queueMicrotask(() => dispatchEvent(new Event('hydrated'))), [])
  return null
}
