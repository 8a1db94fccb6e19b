import { usePageFeedback } from '@/components/ui/feedback/page-feedback'

/** Where messages about the list of passkeys appear: above it, at the button that adds one. */
export const passkeyListPlace = 'passkey-list'

/** For when the card that has the focus goes away: moves it to the button that adds a passkey, or where there is none, to its place. */
export function useFocusPasskeyList(): () => void {
  const { focusAfterUpdate } = usePageFeedback()
  const place = () => document.getElementById(passkeyListPlace)
  return () => focusAfterUpdate(() => place()?.querySelector('button') ?? place())
}
