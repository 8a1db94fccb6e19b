'use client'

import type { RefObject } from 'react'
import type { AccountAction } from '@/components/account/forms/use-account-action'
import { useRefresh } from '@/components/account/forms/use-refresh'
import { useWords } from '@/components/ui/words/words'
import { isFailure } from '@/lib/browser/failures/outcomes'
import { forgetCrossDevice } from '@/lib/browser/passkeys/cross-device'
import { addPasskey } from '@/lib/browser/passkeys/manage'

/** Adds a passkey. `onPresent` is called if this device already has one of the account: nothing to suggest then */
export function useAddHere(scope: RefObject<HTMLElement | null>, action: AccountAction, promotion: boolean) {
  const { passkeyAdded } = useWords('suggestions')
  const refresh = useRefresh(scope)
  return async (onPresent: () => void) => {
    const onDone = () => {
      forgetCrossDevice()
      refresh()
      return passkeyAdded
    }
    const outcome = await action.run('promotion', () => addPasskey({ promotion }), onDone)
    if (outcome && isFailure(outcome) && outcome.isHarmless) onPresent()
  }
}
