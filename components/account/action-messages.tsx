'use client'

import { usePathname, useSearchParams } from 'next/navigation'
import { ButtonLink } from '@/components/ui/button'
import { Messages } from '@/components/ui/feedback/page-feedback'
import type { Action } from '@/components/ui/feedback/use-action'
import { useWords } from '@/components/ui/words/words'
import { withNext } from '@/lib/api/with-next'

export function ActionMessages({ action: { place, inDialog, failure } }: { action: Action }) {
  const words = useWords('forms')
  const path = usePathname()
  const query = useSearchParams().toString()
  const next = query ? `${path}?${query}` : path
  return (
    <>
      <Messages place={place} live={inDialog} />
      {failure?.code === 'not_signed_in' && (
        <p className="mb-5">
          <ButtonLink href={withNext('/signin', next)}>{words.signIn}</ButtonLink>
        </p>
      )}
    </>
  )
}
