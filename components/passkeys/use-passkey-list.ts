import { usePageFeedback } from '@/components/ui/feedback/page-feedback'

/** Where messages about the list of passkeys appear: above it, at the button that adds one. */
export const passkeyListPlace = 'passkey-list'

export function usePasskeyList() {
  const { show, focusAfterUpdate } = usePageFeedback()
  return {
    showDone: (text: string) => show({ place: passkeyListPlace, status: { tone: 'success', text } }),
    /** For when the card that has the focus goes away: to the button that adds a passkey, or where there is none, to its place. */
    focusList: () => {
      const place = () => document.getElementById(passkeyListPlace)
      focusAfterUpdate(() => place()?.querySelector('button') ?? place())
    },
  }
}
