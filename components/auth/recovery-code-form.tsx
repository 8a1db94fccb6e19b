'use client'

import { useRef } from 'react'
import { UsernameField } from '@/components/auth/username-field'
import { Button } from '@/components/ui/button'
import { Field } from '@/components/ui/field'
import { submitWhenFilled, textOf } from '@/components/ui/form-submission'
import { navigate } from '@/components/ui/navigation'
import { Messages } from '@/components/ui/page-feedback'
import { useAction } from '@/components/ui/use-action'
import { signInWithRecoveryCode } from '@/lib/browser/sign-in'

/** Signs in with a recovery code. Always leads to the profile, where a new passkey or password can be set up. */
export function RecoveryCodeForm({ passwords, onBack }: { passwords: boolean; onBack: () => void }) {
  const form = useRef<HTMLFormElement>(null)
  const action = useAction(form, () => navigate('/profile'))
  const { failure } = action
  const busy = action.pending !== null

  const submit = submitWhenFilled(action, (data) => {
    action.run('recovery', () => signInWithRecoveryCode(textOf(data, 'username'), textOf(data, 'code')))
  })

  return (
    <>
      <Messages live place={action.place} />
      <p className="mb-5 text-muted">
        {passwords ? 'Lost your passkey or password?' : 'Lost your passkey?'} Sign in with one of your recovery codes,
        then {passwords ? 'set up a new way to sign in' : 'create a new passkey'}.
      </p>
      {/* method=post keeps the code out of the address. */}
      <form ref={form} method="post" noValidate onSubmit={submit} className="space-y-4">
        <UsernameField error={failure?.fields.username} />
        <Field
          name="code"
          label="Recovery code"
          missing="Enter a recovery code."
          hint="Case, spaces and hyphens don't matter."
          autoComplete="off"
          autoCapitalize="characters"
          autoCorrect="off"
          spellCheck={false}
          error={failure?.fields.code}
        />
        <Button type="submit" className="mt-1 w-full" pending={busy}>
          Sign in
        </Button>
      </form>
      <Button look="quiet" className="mt-2 w-full" disabled={busy} onClick={onBack}>
        {passwords ? 'Sign in another way' : 'Use a passkey instead'}
      </Button>
    </>
  )
}
