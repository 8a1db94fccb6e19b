'use client'

import { useState } from 'react'
import type { Action } from '@/components/ui/use-action'
import { useWords } from '@/components/ui/words'
import { promptEndOf } from '@/lib/browser/errors'
import type { OptionsAtHand } from '@/lib/browser/passkeys/options-at-hand'
import { signInWithPasskey } from '@/lib/browser/sign-in'

/** What the button that signs in with a passkey does: once this device has none, it asks for another one. */
export function usePasskeySignIn({ run, cancelled }: Pick<Action, 'run' | 'cancelled'>, options: OptionsAtHand) {
  const { withPasskey, anotherDevice } = useWords('signIn')
  const [hasNone, setHasNone] = useState(false)

  const signIn = () =>
    run('passkey', async () => {
      const outcome = await signInWithPasskey(options, { fromHere: !hasNone })
      if (promptEndOf(outcome) === 'none_here') setHasNone(true)
      return outcome
    })
  return { signIn, label: hasNone ? anotherDevice : withPasskey, hasFailedHere: hasNone || cancelled === 'no_prompt' }
}
