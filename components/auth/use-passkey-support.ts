'use client'

import { useEffect, useEffectEvent, useRef, useState, useSyncExternalStore } from 'react'
import { keepOfferingPasskeys } from '@/components/auth/passkey-autofill'
import type { Attempt } from '@/components/ui/use-action'
import { keepsPasskeys } from '@/lib/browser/capabilities'
import type { Outcome } from '@/lib/browser/errors'
import { passkeyBarrier } from '@/lib/browser/passkeys/support'
import type { Site } from '@/lib/browser/site'

/**
 * Passkeys on this page.
 * @param attempt while it has an action under way no passkey is offered, so that there is never more than one ceremony; afterwards the offer is renewed
 * @param autofill whether to offer passkeys where the browser fills in the username
 * @returns why passkeys cannot be used here; null when they can; undefined until the browser has been asked
 */
export function usePasskey(site: Site, attempt: Attempt, { autofill = false } = {}): string | null | undefined {
  const barrier = useSyncExternalStore(neverChanges, () => passkeyBarrier(site), unknown)
  const onPicked = useEffectEvent(() => attempt.begin('autofill'))
  const picks = useRef(0)
  const onOutcome = useEffectEvent((outcome: Outcome) => {
    picks.current += 1
    attempt.settle(outcome)
  })
  const offering = autofill && barrier === null && attempt.pending === null
  useEffect(() => {
    if (!offering || picks.current >= maxPicks) return
    return keepOfferingPasskeys({ onPicked: () => onPicked(), onOutcome: (outcome) => onOutcome(outcome) })
  }, [offering])
  return barrier
}

/** A passkey that failed this often is not offered by itself again: some authenticators pick without asking, and would go on for ever. */
const maxPicks = 4

const neverChanges = () => () => undefined
const unknown = () => undefined

/** Tells whether this browser says that a passkey could only be made on a security key; false until it has been asked. */
export function useNoPlaceForPasskeys(): boolean {
  const [noPlace, setNoPlace] = useState(false)
  useEffect(() => {
    keepsPasskeys().then((keeps) => setNoPlace(!keeps))
  }, [])
  return noPlace
}
