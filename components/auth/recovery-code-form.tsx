'use client'

import { useRef } from 'react'
import { Button } from '@/components/ui/button'
import { Field } from '@/components/ui/field'
import { navigate, submitWhenFilled, textOf } from '@/components/ui/form-submission'
import { Outcomes } from '@/components/ui/notice'
import { useAction } from '@/components/ui/use-action'
import { UsernameField } from '@/components/ui/username-field'
import { signInWithRecoveryCode } from '@/lib/browser/sign-in'

/** Signing in with a recovery code. It always leads to the profile, where a new passkey or password is made. */
export function RecoveryCodeForm({ onBack }: { onBack: () => void }) {
  const form = useRef<HTMLFormElement>(null)
  const action = useAction(form, () => navigate('/profile'))
  const { failure } = action
  const busy = action.pending !== null

  const submit = submitWhenFilled(action, (data) => {
    action.run('recovery', () => signInWithRecoveryCode(textOf(data, 'username'), textOf(data, 'code')))
  })

  return (
    <>
      <Outcomes failure={failure} remark={action.remark} />
      <p className="mb-5 text-muted">
        Lost your passkey or password? One of the codes that you kept lets you in once, to make a new one.
      </p>
      {/* method=post: a form must not put a code into an address, whatever becomes of its script. */}
      <form ref={form} method="post" noValidate onSubmit={submit} className="space-y-4">
        <UsernameField error={failure?.fields.username} />
        <Field
          name="code"
          label="Recovery code"
          hint="Capitals, spaces and hyphens do not matter."
          autoComplete="off"
          autoCapitalize="characters"
          autoCorrect="off"
          spellCheck={false}
          required
          error={failure?.fields.code}
        />
        <Button type="submit" className="mt-1 w-full" pending={busy}>
          Sign in
        </Button>
      </form>
      <Button look="quiet" className="mt-2 w-full" disabled={busy} onClick={onBack}>
        Sign in another way
      </Button>
    </>
  )
}
