'use client'

import type { ReactNode } from 'react'
import { passkeyListPlace } from '@/components/passkeys/use-passkey-list'
import { Messages } from '@/components/ui/feedback/page-feedback'

/** A list of passkeys to look through, with what is said about them above it. */
export function ReviewPasskeys({ children }: { children: ReactNode }) {
  return (
    <div id={passkeyListPlace}>
      <Messages place={passkeyListPlace} />
      <ul className="space-y-3">{children}</ul>
    </div>
  )
}
