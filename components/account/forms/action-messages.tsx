'use client'

import { Messages } from '@/components/ui/feedback/page-feedback'
import type { Action } from '@/components/ui/feedback/use-action'

export const ActionMessages = ({ action: { place, inDialog } }: { action: Action }) => (
  <Messages place={place} live={inDialog} />
)
