'use client'

import { useEffect, useEffectEvent, useRef } from 'react'
import type { Action, OnDone } from '@/components/ui/feedback/use-action'
import type { Outcome } from '@/lib/browser/failures/outcomes'
import type { OptionsAtHand } from '@/lib/browser/passkeys/options-at-hand'
import { keepOfferingPasskeys } from '@/lib/browser/sign-in/passkey-autofill'

/**
 * Offers passkeys in the username's autofill, and signs in when one is picked.
 *
 * @param options null where passkeys are not offered
 * @param action autofill pauses while it is pending, so that there is never more than one ceremony
 * @param onDone called after signing in
 */
export function usePasskeyAutofill(options: OptionsAtHand | null, action: Action, onDone: OnDone): void {
  const onPicked = useEffectEvent(() => action.begin('autofill'))
  const picks = useRef(0)
  const onOutcome = useEffectEvent((outcome: Outcome) => {
    picks.current += 1
    action.settle(outcome, onDone)
  })
  const offering = action.pending === null ? options : null
  useEffect(() => {
    if (!offering || picks.current >= maxPicks) return
    return keepOfferingPasskeys(offering, { onPicked: () => onPicked(), onOutcome: (outcome) => onOutcome(outcome) })
  }, [offering])
}

/** Autofill stops after this many picks: some authenticators pick a passkey without asking, and would repeat a failure forever. */
const maxPicks = 4
