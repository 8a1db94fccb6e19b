'use client'

import { useRef } from 'react'
import { usePasskeySupport, useSecurityKeysOnly } from '@/components/auth/use-passkey-support'
import { UsernameField } from '@/components/auth/username-field'
import { Button } from '@/components/ui/button'
import { Divider } from '@/components/ui/divider'
import { submitWhenFilled, textOf } from '@/components/ui/form-submission'
import { PasskeyIcon } from '@/components/ui/icons'
import { navigateAfterSignIn } from '@/components/ui/navigation'
import { Notice } from '@/components/ui/notice'
import { Messages } from '@/components/ui/page-feedback'
import { PasswordField } from '@/components/ui/password-field'
import { useAction } from '@/components/ui/use-action'
import { useWords } from '@/components/ui/words'
import { signInWithPasskey, signInWithPassword } from '@/lib/browser/sign-in'
import type { Site } from '@/lib/browser/site'

/** Signs in with a passkey, by button or autofill, or with a password. */
export function SignInForm({ site, next, onRecover }: { site: Site; next: string; onRecover: () => void }) {
  const forms = useWords('forms')
  const words = useWords('signIn')
  const form = useRef<HTMLFormElement>(null)
  const action = useAction(form, () => navigateAfterSignIn(next))
  const unsupportedReason = usePasskeySupport(site, action, { autofill: true })
  // Few people have a security key, and they still find the button.
  const passwordFirst = useSecurityKeysOnly() || Boolean(unsupportedReason)
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
          <Button
            look={passwordFirst ? 'secondary' : 'primary'}
            className="w-full"
            pending={pending === 'passkey' || pending === 'autofill'}
            disabled={busy}
            onClick={() => action.run('passkey', signInWithPasskey)}
          >
            {pending !== 'passkey' && pending !== 'autofill' && <PasskeyIcon />}
            {words.withPasskey}
          </Button>
          <Divider>{words.orPassword}</Divider>
        </>
      )}
      {/* method=post keeps the password out of the address if the form is sent before its script has loaded. */}
      <form ref={form} method="post" noValidate onSubmit={submit} className="space-y-4">
        <UsernameField autoComplete="username webauthn" error={failure?.fields.username} />
        <PasswordField
          missing={forms.enterPassword}
          autoComplete="current-password"
          pending={busy}
          error={failure?.fields.password}
        />
        <Button
          type="submit"
          look={passwordFirst ? 'primary' : 'secondary'}
          className="mt-1 w-full"
          pending={pending === 'password'}
          disabled={busy}
        >
          {forms.signIn}
        </Button>
      </form>
      <Button look="quiet" className="mt-2 w-full" disabled={busy} onClick={onRecover}>
        {forms.useRecoveryCode}
      </Button>
    </>
  )
}
