'use client'

import { usePathname } from 'next/navigation'
import { ButtonLink } from '@/components/ui/button'
import { Messages, usePageFeedback } from '@/components/ui/page-feedback'
import type { Action } from '@/components/ui/use-action'

/** The outcome of an action on the account, with a link to sign in again if the session has ended. */
export function ActionMessages({ action: { place, inDialog, failure } }: { action: Action }) {
  const path = usePathname()
  const { shown } = usePageFeedback()
  return (
    <>
      <Messages place={place} live={inDialog} />
      {shown?.place === place && failure?.code === 'not_signed_in' && (
        <p className="mb-5">
          <ButtonLink href={`/signin?next=${path}`}>Sign in</ButtonLink>
        </p>
      )}
    </>
  )
}
