'use client'

import { useState } from 'react'
import { useAccountContext } from '@/components/account/account-provider'
import {
  chooseSuggestion,
  type Suggestion,
  type SuggestionContext,
} from '@/components/account/suggestions/choose-suggestion'
import { useClientPromise, useClientValue } from '@/components/ui/use-client-value'
import { dismiss, isDismissed } from '@/lib/browser/account/dismissed-suggestions'
import { deviceStoresPasskeys } from '@/lib/browser/passkeys/capabilities'
import { crossDevicePasskey } from '@/lib/browser/passkeys/cross-device'

/** What to suggest on this device, or null. `canUsePasskeys`: whether they work on this page */
export function useSuggestion(context: SuggestionContext, canUsePasskeys: boolean) {
  const { account } = useAccountContext()
  const [, renew] = useState(0)
  const canKeepHere = useClientPromise(deviceStoresPasskeys, true) && canUsePasskeys
  const choose = (crossDevice: string | null, isGone: (what: Suggestion) => boolean) =>
    chooseSuggestion(account, { ...context, canKeepHere, crossDevice, isDismissed: isGone })
  const suggestion = useClientValue(
    () => choose(crossDevicePasskey(), (what) => isDismissed(account.id, what)),
    () => choose(null, () => false),
  )
  function dismissIt() {
    if (suggestion) dismiss(account.id, suggestion)
    renew((times) => times + 1)
  }
  return { suggestion, canKeepHere, dismissIt }
}
