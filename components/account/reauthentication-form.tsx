'use client'

import type { Confirmed } from '@/components/account/account-page'
import { KnownUsername } from '@/components/account/known-username'
import { Button } from '@/components/ui/button'
import { Field } from '@/components/ui/field'
import { textOf, whenFilled } from '@/components/ui/form-submission'
import { PasswordField } from '@/components/ui/password-field'
import type { Attempt } from '@/components/ui/use-action'
import { confirmWithCode, confirmWithPassword } from '@/lib/browser/reauthentication'

interface Props {
  username: string
  /** Asks for a recovery code and not for the password. */
  byCode: boolean
  /** Stands below another way to go on. */
  second: boolean
  attempt: Attempt
  /** Told before it is tried, for whoever goes on after it has worked. */
  onConfirm: (confirmed: Confirmed) => void
}

/** Signing in again with what has to be typed. */
export function ConfirmForm({ username, byCode, second, attempt, onConfirm }: Props) {
  const busy = attempt.pending !== null
  const fields = attempt.failure?.fields

  const submit = whenFilled(attempt, (data) => {
    const password = textOf(data, 'confirmPassword')
    onConfirm(byCode ? {} : { password })
    attempt.run('form', () =>
      byCode ? confirmWithCode(username, textOf(data, 'confirmCode')) : confirmWithPassword(username, password),
    )
  })

  return (
    // method=post: sent before this script has loaded, the form must not put a password into an address.
    <form method="post" noValidate onSubmit={submit} className="space-y-4">
      <KnownUsername username={username} />
      {byCode ? (
        <Field
          name="confirmCode"
          label="Recovery code"
          hint="It is used up by this."
          autoComplete="off"
          autoCapitalize="characters"
          autoCorrect="off"
          spellCheck={false}
          required
          error={fields?.confirmCode ?? fields?.code}
        />
      ) : (
        <PasswordField
          name="confirmPassword"
          autoComplete="current-password"
          required
          pending={busy}
          error={fields?.confirmPassword ?? fields?.password}
        />
      )}
      <Button
        type="submit"
        look={second ? 'secondary' : 'primary'}
        className="w-full"
        pending={attempt.pending === 'form'}
        disabled={busy}
      >
        Continue
      </Button>
    </form>
  )
}
