'use client'

import { type ReactNode, useId } from 'react'
import { useWords } from '@/components/ui/words/words'

/** Marks a button as that of the method that was used last, for screen readers too. */
export function LastUsed({
  isLastUsed,
  children,
}: {
  isLastUsed: boolean
  children: (describedBy?: string) => ReactNode
}) {
  const { lastUsed } = useWords('signIn')
  const id = useId()
  if (!isLastUsed) return children()
  return (
    <div className="relative">
      {children(id)}
      <span id={id} className="last-used">
        {lastUsed}
      </span>
    </div>
  )
}
