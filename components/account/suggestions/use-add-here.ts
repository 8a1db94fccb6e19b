'use client'

import { useRouter } from 'next/navigation'
import type { RefObject } from 'react'
import type { useAccountAction } from '@/components/account/forms/use-account-action'
import { usePageFeedback } from '@/components/ui/feedback/page-feedback'
import { useWords } from '@/components/ui/words/words'
import { isFailure } from '@/lib/browser/failures/outcomes'
import { forgetCrossDevice } from '@/lib/browser/passkeys/cross-device'
import { addPasskey } from '@/lib/browser/passkeys/manage'

/** Adds a passkey. `onPresent` is called if this device already has one of the account: nothing to suggest then */
export function useAddHere(
  scope: RefObject<HTMLElement | null>,
  action: ReturnType<typeof useAccountAction>,
  promotion: boolean,
) {
  const { passkeyAdded } = useWords('suggestions')
  const { focusAfterUpdate } = usePageFeedback()
  const router = useRouter()
  return async (onPresent: () => void) => {
    let isPresent = false
    async function add() {
      const outcome = await addPasskey({ promotion })
      isPresent = isFailure(outcome) && outcome.webAuthnError === 'InvalidStateError'
      return outcome
    }
    await action.run('promotion', add, () => {
      forgetCrossDevice()
      router.refresh()
      // The pressed button goes away.
      focusAfterUpdate(() => scope.current)
      return passkeyAdded
    })
    if (isPresent) onPresent()
  }
}
