'use client'

import { type MouseEvent, type RefObject, useEffect, useRef, useState } from 'react'
import { Button, ButtonLink } from '@/components/ui/button'
import { Callout } from '@/components/ui/feedback/callout'
import { Messages, PageFeedbackProvider, useAction, usePageFeedback } from '@/components/ui/feedback/page-feedback'
import { navigate, settleMilliseconds } from '@/components/ui/navigation'
import { confirmAppLogout } from '@/lib/browser/apps'
import { showAccount } from '@/lib/browser/requests/post'

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

interface AppSignOutProps {
  request: string
  /** The account that the page shows. */
  accountId: string
  signOut: string
  stay: string
  /** The sentence for a page that stays although it has led back to an app; null without an app */
  closePage: string | null
  supportUrl: string | null
}

/** The buttons for answering an app's logout. */
export function AppSignOut(props: AppSignOutProps) {
  return (
    <PageFeedbackProvider supportUrl={props.supportUrl}>
      <SignOutButtons {...props} />
    </PageFeedbackProvider>
  )
}

function SignOutButtons({ request, accountId, signOut, stay, closePage }: AppSignOutProps) {
  const scope = useRef<HTMLDivElement>(null)
  const { hasNotLeft, returnToApp } = useReturnToApp(scope)
  const settled = useSettledPress()
  const action = useAction(scope)
  useEffect(() => showAccount(accountId), [accountId])
  const confirm = () => action.run('sign-out', () => confirmAppLogout(request, returnToApp), staysPending)
  if (hasNotLeft && closePage) return <ReturnNotice scope={scope} text={closePage} />
  return (
    <div ref={scope}>
      <Messages live place={action.place} />
      <div className="-mb-2.5 flex flex-col gap-2">
        <Button pending={action.pending !== null} onClick={settled(confirm)}>
          {signOut}
        </Button>
        <ButtonLink href="/profile" look="quiet">
          {stay}
        </ButtonLink>
      </div>
    </div>
  )
}
