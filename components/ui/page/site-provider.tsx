'use client'

import { createContext, type ReactNode, useContext } from 'react'
import type { PageFooterProps } from '@/components/ui/page/page-footer'

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
