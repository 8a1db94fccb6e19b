'use client'

import { useRouter } from 'next/navigation'
import type { RefObject } from 'react'
import { usePageFeedback } from '@/components/ui/feedback/page-feedback'

/** Shows what has changed. What was pressed may go away with it, so `stays` gets the focus. */
export function useRefresh(stays: RefObject<HTMLElement | null>): () => void {
  const { focusAfterUpdate } = usePageFeedback()
  const router = useRouter()
  return () => {
    router.refresh()
    focusAfterUpdate(() => stays.current)
  }
}
