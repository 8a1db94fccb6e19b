'use client'

import { type ReactNode, type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import { navigateAfterSignIn } from '@/components/auth/navigate-after-sign-in'
import { usePasskeySupport, useSecurityKeysOnly } from '@/components/auth/passkey-button'
import { type Action, type OnDone, useAction } from '@/components/ui/feedback/use-action'
import { useWords } from '@/components/ui/words/words'
import type { RememberedSignIn, Site } from '@/lib/api/site'
import { type Outcome, promptEndOf } from '@/lib/browser/failures/outcomes'
import { keepOfferingPasskeys } from '@/lib/browser/sign-in/passkey-autofill'
import type { OptionsAtHand } from '@/lib/browser/sign-in/passkey-offer'
import { rememberUsername, signInWithPasskey } from '@/lib/browser/sign-in/sign-in'

export interface SignInProps {
  site: Site
  next: string
  /** The sentence for a page that has led back to an app and is still there; null for people who come from no app */
  closePage: string | null
  /** Of the last sign-in in this browser, where the page names nobody */
  lastMethod: RememberedSignIn['method']
  /** Marks the button of that method, for screen readers too: its id is `last-` and the method */
  lastUsed: ReactNode
  /** True where the page names the person, so that there is no field for it */
  known: boolean
  asksFor: 'passkey' | 'password' | 'either'
  passkeyLabel: string
  passwordLabel: string
  /** The known name, or the first text of the field */
  username: string
  options: OptionsAtHand
  /** Prepares the other view before `onRecover` shows it */
  prepareRecovery: () => Promise<Outcome>
  onRecover: () => void
  /** Asks whether to remember the username; null where the page names the person */
  remember: ReactNode
  /** Stands between the passkey and the password */
  divider: ReactNode
  /** The links to other ways */
  children?: ReactNode
}

/**
 * The behaviour of /signin's form.
 *
 * @param scope the element around the form
 * @returns `primary` is the method whose button is the primary one; `isLocked`: passwords are rejected unseen for now; `passkey` has the props of the passkey button, which offers
 *   this device's passkeys first, and another device's once there are none
 */
export function useSignIn(
  scope: RefObject<HTMLElement | null>,
  { site, next, closePage, lastMethod, passkeyLabel, asksFor, options }: SignInProps,
) {
  const { anotherDevice } = useWords('signIn')
  const [hasNone, setHasNone] = useState(false)
  const action = useAction(scope)
  const onDone = () => void continueAfterSignIn(scope.current, next, showClosePage(closePage, action))
  const unsupportedReason = usePasskeySupport(site)
  // Offers autofill only where there is a field for it to appear at.
  usePasskeyAutofill(unsupportedReason === null && asksFor !== 'passkey' ? options : null, action, onDone)
  const { pending, busy, cancelled, failure, run } = action
  const [hasSentPassword, setSentPassword] = useState(false)
  const [isLocked, setLocked] = useState(false)
  if (!isLocked && hasSentPassword && failure?.code === 'too_many_attempts') setLocked(true)
  const usesPassword = lastMethod === 'password' || asksFor === 'password' || hasSentPassword
  // Few people have a security key, and they still find the button.
  const hasNoPasskey = useSecurityKeysOnly() || Boolean(unsupportedReason) || hasNone || cancelled === 'no_prompt'

  // What the page said on arrival is over once something new begins.
  useEffect(() => {
    const arrival = pending && document.querySelector<HTMLElement>('[data-arrival]')
    if (!arrival) return
    arrival.hidden = true
    document.title = document.title.replace(`${arrival.textContent} `, '')
  }, [pending])

  async function signIn() {
    const outcome = await signInWithPasskey(options, { fromHere: !hasNone })
    if (promptEndOf(outcome) === 'none_here') setHasNone(true)
    return outcome
  }
  return {
    action,
    onDone,
    preferPassword: () => setSentPassword(true),
    busy,
    unsupportedReason,
    isLocked,
    primary: asksFor !== 'passkey' && !isLocked && (usesPassword || hasNoPasskey) ? 'password' : 'passkey',
    passkey: {
      pending: pending === 'passkey' || pending === 'autofill',
      disabled: busy,
      onClick: () => run('passkey', signIn, onDone),
      children: hasNone ? anotherDevice : passkeyLabel,
    },
  }
}

/**
 * Offers passkeys in the username's autofill, and signs in with the one that the person picks.
 *
 * @param options null for no offer
 * @param action autofill pauses while it is pending, so that there is never more than one ceremony
 * @param onDone runs after signing in
 */
function usePasskeyAutofill(options: OptionsAtHand | null, action: Action, onDone: OnDone): void {
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

/**
 * Autofill stops after this many picks: some authenticators pick a passkey without asking, and would repeat a failure forever.
 */
const maxPicks = 4

/**
 * Continues after signing in, and remembers the username if the person wants it.
 *
 * @param scope where the checkbox is
 * @param onStay runs if the page is still there once its redirects have had their time
 */
async function continueAfterSignIn(scope: HTMLElement | null, next: string, onStay?: () => void): Promise<void> {
  if (scope?.querySelector('[name="remember"]:checked')) await rememberUsername()
  navigateAfterSignIn(next, onStay)
}

/** Ends a sign-in that has led back to an app and left the page where it is, as a URL that opens a program does. */
export const showClosePage = (closePage: string | null, action: Action) =>
  closePage === null ? undefined : () => action.settle({ tone: 'info', text: closePage }, () => undefined)
