'use client'

import { type MouseEvent, type RefObject, useEffect, useRef, useState } from 'react'
import { Callout } from '@/components/ui/feedback/callout'
import { usePageFeedback } from '@/components/ui/feedback/page-feedback'
import { navigate, settleMilliseconds } from '@/components/ui/navigation'

/**
 * Leads back to an app. A redirect URI with a scheme of its own opens a program and leaves the page as it is, and the page
 * does not know where its redirects end.
 *
 * @param scope gets the focus of the pressed button when `ReturnNotice` takes its place
 */
export function useReturnToApp(scope: RefObject<HTMLElement | null>) {
  const { focusAfterUpdate } = usePageFeedback()
  const [hasNotLeft, setNotLeft] = useState(false)

  function returnToApp(location: string) {
    // Navigates by script, because `form-action 'self'` would stop a form's redirect to the app.
    navigate(location, () => {
      setNotLeft(true)
      focusAfterUpdate(() => scope.current)
    })
  }
  return { hasNotLeft, returnToApp }
}

/** The `onDone` of an action that returns to the app: its buttons stay pending, so that nobody answers twice. */
export const staysPending = () => undefined

/** Replaces a page's buttons once the page has led to an app and is still there. */
export const ReturnNotice = ({ scope, text }: { scope: RefObject<HTMLDivElement | null>; text: string }) => (
  <div ref={scope} tabIndex={-1} className="outline-none">
    <Callout>{text}</Callout>
  </div>
)

/**
 * Makes a click count only once the window has had the focus for a moment. Another site can close its own window under the pointer
 * between the clicks of a double click, the second of which would answer here. `PressKeeper` does the same before React listens.
 */
export function useSettledPress(): (press: () => void) => (event: MouseEvent) => void {
  const focusedAt = useRef(Number.NEGATIVE_INFINITY)
  useEffect(() => {
    const note = ({ timeStamp }: Event) => {
      focusedAt.current = timeStamp
    }
    window.addEventListener('focus', note)
    return () => window.removeEventListener('focus', note)
  }, [])
  return (press) =>
    ({ detail, timeStamp }) => {
      // Keys and screen readers press without a pointer, and may hand over the focus themselves.
      if (detail === 0 || timeStamp - focusedAt.current > settleMilliseconds) press()
    }
}
