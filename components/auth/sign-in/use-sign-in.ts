'use client'

import { type RefObject, useState } from 'react'
import { continueAfterSignIn, showClosePage } from '@/components/auth/sign-in/continue-after-sign-in'
import { usePasskeyAutofill } from '@/components/auth/sign-in/use-passkey-autofill'
import { usePasskeySupport, useSecurityKeysOnly } from '@/components/auth/use-passkey-support'
import { useAction } from '@/components/ui/feedback/use-action'
import { useWords } from '@/components/ui/words/words'
import type { RememberedSignIn } from '@/lib/api/remembered-sign-in'
import type { Site } from '@/lib/api/site'
import { type Outcome, promptEndOf } from '@/lib/browser/failures/outcomes'
import type { OptionsAtHand } from '@/lib/browser/passkeys/options-at-hand'
import { signInWithPasskey } from '@/lib/browser/sign-in/sign-in'

export interface SignInProps {
  site: Site
  next: string
  /** What the page says if it has led back to an app and is still there; null for people who come from no app. */
  closePage: string | null
  remembered: RememberedSignIn
  /** What the field starts with. */
  username: string
  options: OptionsAtHand
  /** What the other view needs before `onRecover` shows it. */
  prepareRecovery: () => Promise<Outcome>
  onRecover: () => void
}

/**
 * What /signin's form does.
 *
 * @param scope where the form is
 * @returns `primary`: whose button is the primary one; `passkey`: props of the passkey button, which offers this device's
 *   passkeys first, and another device's once there are none
 */
export function useSignIn(
  scope: RefObject<HTMLElement | null>,
  { site, next, closePage, remembered, options }: SignInProps,
) {
  const { withPasskey, anotherDevice } = useWords('signIn')
  const [hasNone, setHasNone] = useState(false)
  const action = useAction(scope)
  const onDone = () => void continueAfterSignIn(scope.current, next, showClosePage(closePage, action))
  const unsupportedReason = usePasskeySupport(site)
  // Autofill needs a field to appear at.
  usePasskeyAutofill(unsupportedReason === null && site.passwords ? options : null, action, onDone)
  const { pending, busy, cancelled, run } = action
  const [hasSentPassword, setSentPassword] = useState(false)
  const usesPassword = remembered.method === 'password' || hasSentPassword
  // Few people have a security key, and they still find the button.
  const hasNoPasskey = useSecurityKeysOnly() || Boolean(unsupportedReason) || hasNone || cancelled === 'no_prompt'

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
    primary: site.passwords && (usesPassword || hasNoPasskey) ? ('password' as const) : ('passkey' as const),
    passkey: {
      pending: pending === 'passkey' || pending === 'autofill',
      disabled: busy,
      onClick: () => run('passkey', signIn, onDone),
      children: hasNone ? anotherDevice : withPasskey,
    },
  }
}
