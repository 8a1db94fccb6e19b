'use client'

import { createContext, type ReactNode, useContext } from 'react'
import type { PageFooterProps } from '@/components/ui/page/page-footer'

type Frame = Pick<PageFooterProps, 'site'> & Pick<PageFooterProps['language'], 'choices'>

const Context = createContext<Frame | null>(null)

/** Provides `FailedPage` with what frames a page: it renders in the browser, without a server component to pass that in. */
export const FrameProvider = ({ children, ...frame }: Frame & { children: ReactNode }) => (
  <Context value={frame}>{children}</Context>
)

export function useFrame(): Frame {
  const frame = useContext(Context)
  if (!frame) throw new Error('useFrame needs a FrameProvider')
  return frame
}
