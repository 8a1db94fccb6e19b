'use client'

import { useRouter } from 'next/navigation'
import type { RefObject } from 'react'
import { usePageFeedback } from '@/components/ui/feedback/page-feedback'

/** Shows the changes. The pressed button may go away with them, so `stays` gets the focus. */
export function useRefresh(stays: RefObject<HTMLElement | null>): () => void {
  const { focusAfterUpdate } = usePageFeedback()
  const router = useRouter()
  return () => {
    router.refresh()
    focusAfterUpdate(() => stays.current)
  }
}
