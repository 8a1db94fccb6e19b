'use client'

import { usePathname, useSearchParams } from 'next/navigation'
import { type ReactNode, useEffect, useEffectEvent, useRef } from 'react'
import { ButtonLink } from '@/components/ui/button'
import { Callout } from '@/components/ui/feedback/callout'
import { usePageFeedback } from '@/components/ui/feedback/page-feedback'
import { useWords } from '@/components/ui/words/words'
import { withNext } from '@/lib/api/urls'
import type { Failure } from '@/lib/browser/failures/outcomes'

/** Shows a way to sign in again above a page whose session has ended elsewhere; the page stays readable but inert. */
export function EndedSession({ failure, children }: { failure: Failure | null; children: ReactNode }) {
  return (
    <>
      {failure && <Banner failure={failure} />}
      <div inert={failure !== null} className="inert:opacity-60">
        {children}
      </div>
    </>
  )
}

function Banner({ failure }: { failure: Failure }) {
  const { title, detail } = failure
  const { signIn } = useWords('forms')
  const path = usePathname()
  const query = useSearchParams().toString()
  const banner = useRef<HTMLDivElement>(null)
  const { show } = usePageFeedback()
  // No `Messages` has this place: screen readers announce the failure, and the banner shows it.
  const announce = useEffectEvent(() => show({ place: 'ended-session', alert: failure }))
  useEffect(() => {
    announce()
    // Closes dialogs, which stay live inside inert content; one may have opened another.
    for (const dialog of document.querySelectorAll<HTMLDialogElement>('dialog[open]')) dialog.close()
    banner.current?.focus()
  }, [])
  return (
    <div ref={banner} tabIndex={-1} className="mb-6 scroll-mt-6 outline-none">
      <Callout>
        {/* The page's own heading may be out of reach below. */}
        <h1 className="font-semibold">{title}</h1>
        <p>{detail}</p>
        <p className="mt-3">
          <ButtonLink href={withNext('/signin', query ? `${path}?${query}` : path)} look="primary">
            {signIn}
          </ButtonLink>
        </p>
      </Callout>
    </div>
  )
}
