'use client'

import { usePathname, useSearchParams } from 'next/navigation'
import { type ReactNode, useEffect, useEffectEvent, useRef, useSyncExternalStore } from 'react'
import { ButtonLink } from '@/components/ui/button'
import { Callout } from '@/components/ui/feedback/callout'
import { usePageFeedback } from '@/components/ui/feedback/page-feedback'
import { TextLink } from '@/components/ui/text-link'
import { useWords } from '@/components/ui/words/words'
import { withNext } from '@/lib/api/urls'
import type { Failure } from '@/lib/browser/failures/outcomes'
import {
  joinTabs,
  markLeaving,
  sessionEnd,
  subscribeToSessionEnd,
  watchSession,
} from '@/lib/browser/sign-in/session-end'

/** The way in which the page learned that its session has ended; null while it has not. */
export const useSessionEnd = () => useSyncExternalStore(subscribeToSessionEnd, sessionEnd, () => null)

/**
 * Leaves the page when the session has expired, ends in another tab or elsewhere, or gives way to another account's: nothing
 * private may stay on the screen, even if the server cannot be reached.
 */
export function useLeaveOnSessionEnd(expiresAt: string): void {
  useEffect(() => {
    const leave = () => {
      markLeaving()
      // The server decides where to: this URL requires signing in.
      window.location.reload()
    }
    const left = Date.parse(expiresAt) - Date.now()
    // Sets no timer if a clock far ahead says that the session is over already: the page would reload forever.
    const timer = left > 0 ? setTimeout(leave, Math.min(left, longestTimer)) : undefined
    const stops = [joinTabs(leave), watchSession(leave)]
    return () => {
      clearTimeout(timer)
      for (const stop of stops) stop()
    }
  }, [expiresAt])
}

/** Browsers run a timer of more milliseconds at once. */
const longestTimer = 2 ** 31 - 1

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

interface SignedInAsProps {
  /** Without it, something else on the page names the account */
  text?: string
  links: { href: string; name: string }[]
}

/** Names the account that the page acts for, with the links that change it. */
export function SignedInAs({ text, links }: SignedInAsProps) {
  if (useSessionEnd()) return null
  return (
    <div className="flex flex-wrap items-center justify-center gap-x-5 text-center text-muted">
      {text !== undefined && <p className="max-w-full">{text}</p>}
      <p className="flex flex-wrap justify-center gap-x-5">
        {links.map(({ href, name }) => (
          <TextLink key={href} href={href}>
            {name}
          </TextLink>
        ))}
      </p>
    </div>
  )
}
