'use client'

import { useEffect, useEffectEvent, useRef, useState, useSyncExternalStore } from 'react'
import { keepOfferingPasskeys } from '@/components/auth/passkey-autofill'
import type { Action } from '@/components/ui/use-action'
import { keepsPasskeys } from '@/lib/browser/capabilities'
import type { Outcome } from '@/lib/browser/errors'
import { passkeyUnsupportedReason } from '@/lib/browser/passkeys/support'
import type { Site } from '@/lib/browser/site'

/**
 * Passkeys on this page.
 * @param action while it has an action under way no passkey is offered, so that there is never more than one ceremony; afterwards the offer is renewed
 * @param autofill whether to offer passkeys where the browser fills in the username
 * @returns why passkeys cannot be used here; null when they can; undefined until the browser has been asked
 */
export function usePasskeySupport(site: Site, action: Action, { autofill = false } = {}): string | null | undefined {
  const unsupportedReason = useSyncExternalStore(neverChanges, () => passkeyUnsupportedReason(site), unknown)
  const onPicked = useEffectEvent(() => action.begin('autofill'))
  const picks = useRef(0)
  const onOutcome = useEffectEvent((outcome: Outcome) => {
    picks.current += 1
    action.settle(outcome)
  })
  const offering = autofill && unsupportedReason === null && action.pending === null
  useEffect(() => {
    if (!offering || picks.current >= maxPicks) return
    return keepOfferingPasskeys({ onPicked: () => onPicked(), onOutcome: (outcome) => onOutcome(outcome) })
  }, [offering])
  return unsupportedReason
}

/** A passkey that failed this often is not offered by itself again: some authenticators pick without asking, and would go on for ever. */
const maxPicks = 4

const neverChanges = () => () => undefined
const unknown = () => undefined

/** Tells whether this browser says that a passkey could only be made on a security key; false until it has been asked. */
export function useSecurityKeysOnly(): boolean {
  const [securityKeysOnly, setSecurityKeysOnly] = useState(false)
  useEffect(() => {
    keepsPasskeys().then((keeps) => setSecurityKeysOnly(!keeps))
  }, [])
  return securityKeysOnly
}
