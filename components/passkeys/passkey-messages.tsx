'use client'

import { Messages, usePageFeedback } from '@/components/ui/feedback/page-feedback'

/** The place of messages about the list of passkeys: above it, at the button that adds one. */
export const passkeyListPlace = 'passkey-list'

/** Moves the focus from a removed card to the button that adds a passkey, or, without that button, to its place. */
export function useFocusPasskeyList(): () => void {
  const { focusAfterUpdate } = usePageFeedback()
  const place = () => document.getElementById(passkeyListPlace)
  return () => focusAfterUpdate(() => place()?.querySelector('button') ?? place())
}

/** The messages of a passkey list that has no button to add one. Outside the list, so that it outlasts the last passkey. */
export function PasskeyMessages() {
  return (
    <div id={passkeyListPlace} tabIndex={-1} className="outline-none">
      <Messages place={passkeyListPlace} />
    </div>
  )
}
