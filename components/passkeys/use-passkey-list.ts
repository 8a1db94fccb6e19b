import { usePageFeedback } from '@/components/ui/feedback/page-feedback'

/** Where messages about the list of passkeys appear: above it, at the button that adds one. */
export const passkeyListPlace = 'passkey-list'

export function usePasskeyList() {
  const { show, focusAfterUpdate } = usePageFeedback()
  return {
    showDone: (text: string) => show({ place: passkeyListPlace, status: { tone: 'success', text } }),
    /** For when the card that has the focus goes away. */
    focusList: () => focusAfterUpdate(() => document.getElementById(passkeyListPlace)?.querySelector('button')),
  }
}
