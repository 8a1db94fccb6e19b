'use client'

import { usePathname } from 'next/navigation'
import { ButtonLink } from '@/components/ui/button'
import { Messages } from '@/components/ui/page-feedback'
import type { Action } from '@/components/ui/use-action'

export function ActionMessages({ action: { place, inDialog, failure } }: { action: Action }) {
  const path = usePathname()
  return (
    <>
      <Messages place={place} live={inDialog} />
      {failure?.code === 'not_signed_in' && (
        <p className="mb-5">
          <ButtonLink href={`/signin?next=${path}`}>Sign in</ButtonLink>
        </p>
      )}
    </>
  )
}
