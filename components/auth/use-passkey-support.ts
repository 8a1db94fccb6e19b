'use client'

import { useEffect, useEffectEvent, useRef } from 'react'
import type { Action, OnDone } from '@/components/ui/feedback/use-action'
import { useClientAnswer, useClientValue } from '@/components/ui/use-client-value'
import type { Site } from '@/lib/api/site'
import type { Outcome } from '@/lib/browser/failures/errors'
import { keepsPasskeys } from '@/lib/browser/passkeys/capabilities'
import type { OptionsAtHand } from '@/lib/browser/passkeys/options-at-hand'
import { passkeyUnsupportedReason } from '@/lib/browser/passkeys/support'
import { keepOfferingPasskeys } from '@/lib/browser/sign-in/passkey-autofill'

/**
 * Whether passkeys work on this page, and their autofill.
 *
 * @param action autofill pauses while it is pending, so that there is never more than one ceremony
 * @param autofill what to offer passkeys in the username's autofill with, if they are, and what follows
 * @returns why passkeys don't work here; null if they do; undefined until hydration
 */
export function usePasskeySupport(
  site: Site,
  action: Action,
  autofill: { options: OptionsAtHand; onDone: OnDone } | null = null,
): string | null | undefined {
  const unsupportedReason = useClientValue<string | null | undefined>(() => passkeyUnsupportedReason(site), unknown)
  const onPicked = useEffectEvent(() => action.begin('autofill'))
  const picks = useRef(0)
  const onOutcome = useEffectEvent((outcome: Outcome) => {
    picks.current += 1
    if (autofill) action.settle(outcome, autofill.onDone)
  })
  const offering = unsupportedReason === null && action.pending === null ? (autofill?.options ?? null) : null
  useEffect(() => {
    if (!offering || picks.current >= maxPicks) return
    return keepOfferingPasskeys(offering, { onPicked: () => onPicked(), onOutcome: (outcome) => onOutcome(outcome) })
  }, [offering])
  return unsupportedReason
}

/** Autofill stops after this many picks: some authenticators pick a passkey without asking, and would repeat a failure forever. */
const maxPicks = 4

const unknown = () => undefined

/** Whether the browser says that only a security key could store a passkey; false until it has answered. */
export const useSecurityKeysOnly = () => !useClientAnswer(keepsPasskeys, true)
