'use client'

import { usePageFeedback } from '@/components/ui/feedback/page-feedback'

/** Where messages about the list of passkeys appear: above it, at the button that adds one. */
export const passkeyListPlace = 'passkey-list'

/** Moves the focus from a removed card to the button that adds a passkey, or, without that button, to its place. */
export function useFocusPasskeyList(): () => void {
  const { focusAfterUpdate } = usePageFeedback()
  const place = () => document.getElementById(passkeyListPlace)
  return () => focusAfterUpdate(() => place()?.querySelector('button') ?? place())
}
