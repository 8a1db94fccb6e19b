'use client'

import { useRef } from 'react'
import { continueAfterSignIn, type Hint, LastUsed, RememberUsername } from '@/components/auth/hint'
import { PasskeyButton } from '@/components/auth/passkey-button'
import { usePasskeySignIn } from '@/components/auth/use-passkey-sign-in'
import { usePasskeySupport, useSecurityKeysOnly } from '@/components/auth/use-passkey-support'
import { UsernameField } from '@/components/auth/username-field'
import { Button } from '@/components/ui/button'
import { Divider } from '@/components/ui/divider'
import { submitWhenFilled, textOf } from '@/components/ui/form-submission'
import { Notice } from '@/components/ui/notice'
import { Messages } from '@/components/ui/page-feedback'
import { PasswordField } from '@/components/ui/password-field'
import { useAction } from '@/components/ui/use-action'
import { useWords } from '@/components/ui/words'
import type { Site } from '@/lib/api/site'
import type { OptionsAtHand } from '@/lib/browser/passkeys/options-at-hand'
import { signInWithPassword } from '@/lib/browser/sign-in'

export interface SignInProps {
  site: Site
  next: string
  hint: Hint
  options: OptionsAtHand
  onRecover: () => void
}

/** Signs in with a passkey, by button or autofill, or with a password. */
export function SignInForm({ site, next, hint, options, onRecover }: SignInProps) {
  const forms = useWords('forms')
  const words = useWords('signIn')
  const form = useRef<HTMLFormElement>(null)
  const action = useAction(form, () => void continueAfterSignIn(form.current, next))
  const unsupportedReason = usePasskeySupport(site, action, options)
  const passkey = usePasskeySignIn(action, options)
  // Few people have a security key, and they still find the button.
  const passwordFirst = useSecurityKeysOnly() || Boolean(unsupportedReason) || passkey.hasFailedHere
  const asksPassword = hint.method === 'password' && hint.username !== null
  const { pending, failure } = action
  const busy = pending !== null

  const submit = submitWhenFilled(action, (data) => {
    const conditionalCreate = unsupportedReason === null
    action.run('password', () =>
      signInWithPassword(textOf(data, 'username'), textOf(data, 'password'), { conditionalCreate }),
    )
  })

  return (
    <>
      <Messages live place={action.place} />
      {unsupportedReason ? (
        <div className="mb-5">
          <Notice>{unsupportedReason}</Notice>
        </div>
      ) : (
        <>
          <LastUsed marks={hint.method === 'passkey'}>
            {(lastUsed) => (
              <PasskeyButton
                look={passwordFirst ? 'secondary' : 'primary'}
                className="w-full"
                aria-describedby={lastUsed}
                pending={pending === 'passkey' || pending === 'autofill'}
                disabled={busy}
                onClick={passkey.signIn}
              >
                {passkey.label}
              </PasskeyButton>
            )}
          </LastUsed>
          <Divider>{words.orPassword}</Divider>
        </>
      )}
      {/* method=post keeps the password out of the address if the form is sent before its script has loaded. */}
      <form ref={form} method="post" noValidate onSubmit={submit} className="space-y-4">
        <UsernameField
          autoComplete="username webauthn"
          defaultValue={hint.username ?? ''}
          autoFocus={!asksPassword}
          error={failure?.fields.username}
        />
        <PasswordField
          missing={forms.enterPassword}
          autoComplete="current-password"
          autoFocus={asksPassword}
          pending={busy}
          error={failure?.fields.password}
        />
        <RememberUsername hint={hint} disabled={busy} />
        <LastUsed marks={hint.method === 'password'}>
          {(lastUsed) => (
            <Button
              type="submit"
              look={passwordFirst ? 'primary' : 'secondary'}
              className="w-full"
              aria-describedby={lastUsed}
              pending={pending === 'password'}
              disabled={busy}
            >
              {forms.signIn}
            </Button>
          )}
        </LastUsed>
      </form>
      <Button look="quiet" className="mt-2 w-full" disabled={busy} onClick={onRecover}>
        {forms.useRecoveryCode}
      </Button>
    </>
  )
}
