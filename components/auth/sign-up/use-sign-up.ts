'use client'

import { type FormEvent, type RefObject, useState } from 'react'
import { navigateAfterSignIn } from '@/components/auth/navigate-after-sign-in'
import { usePasskeySupport, useSecurityKeysOnly } from '@/components/auth/use-passkey-support'
import { usePageFeedback } from '@/components/ui/feedback/page-feedback'
import { useAction } from '@/components/ui/feedback/use-action'
import { submitWhenFilled, textOf } from '@/components/ui/forms/form-submission'
import { useWords } from '@/components/ui/words/words'
import type { Site } from '@/lib/api/site'
import { promptEndOf } from '@/lib/browser/failures/outcomes'
import { cancelPrompt } from '@/lib/browser/passkeys/prompt'
import { signUp, signUpWithPasskey } from '@/lib/browser/sign-in/sign-up'

export interface SignUpProps {
  site: Site
  next: string
  signInHref: string
  invitation?: string | undefined
}

/**
 * The behaviour of /signup's form, which creates a passkey, or takes a password where passkeys don't work or the person prefers
 * one.
 *
 * @returns `method` is what the form takes; `primary` is the method whose button is the primary one
 */
export function useSignUp(form: RefObject<HTMLFormElement | null>, { site, next, invitation }: SignUpProps) {
  const { enterUsername } = useWords('signUp')
  const { focusAfterUpdate } = usePageFeedback()
  // `either`: this browser opened no prompt, so the password comes first, and the person can try the passkey again.
  const [chosen, setChoice] = useState<'passkey' | 'password' | 'either' | null>(null)
  const action = useAction(form)
  const onDone = () => navigateAfterSignIn(next)
  const unsupportedReason = usePasskeySupport(site)
  const isKeysOnly = useSecurityKeysOnly() && site.passwords
  // Few people have a security key: where nothing else could store a passkey, the form begins with the password.
  const choice = chosen ?? (isKeysOnly ? 'password' : 'passkey')
  const takesPassword = site.passwords && (Boolean(unsupportedReason) || choice !== 'passkey')
  const method = takesPassword ? 'password' : 'passkey'
  const primary = takesPassword || isKeysOnly ? 'password' : 'passkey'

  const send = submitWhenFilled(action, (data) => {
    const username = textOf(data, 'username')
    if (takesPassword) action.run('password', () => signUp({ username, invitation }, textOf(data, 'password')), onDone)
    else createPasskey(username)
  })
  function submit(event: FormEvent<HTMLFormElement>) {
    if (primary === method) send(event)
    else {
      event.preventDefault()
      offerPassword('password')
    }
  }
  async function createPasskey(username: string) {
    const outcome = await action.run('passkey', () => signUpWithPasskey({ username, invitation }), onDone)
    if (outcome && promptEndOf(outcome) === 'no_prompt' && site.passwords) offerPassword('either')
  }
  /** Runs from a button that does not submit the form. */
  function tryPasskey() {
    const username = textOf(new FormData(form.current ?? undefined), 'username')
    if (username.trim()) createPasskey(username)
    else action.setFieldErrors({ username: enterUsername })
  }
  function offerPassword(how: 'password' | 'either') {
    setChoice(how)
    // Focuses the first empty field in the order of the form, where the username comes before the password.
    focusAfterUpdate(() => [...(form.current?.querySelectorAll('input') ?? [])].find(({ value }) => value === ''))
  }
  function toggleMethod() {
    cancelPrompt()
    if (takesPassword) setChoice('passkey')
    else offerPassword('password')
  }
  return { action, choice, isKeysOnly, unsupportedReason, method, primary, submit, tryPasskey, toggleMethod }
}
