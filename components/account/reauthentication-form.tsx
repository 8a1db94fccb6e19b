'use client'

import { KnownUsername } from '@/components/account/known-username'
import { Button } from '@/components/ui/button'
import { Field } from '@/components/ui/field'
import { submitWhenFilled, textOf } from '@/components/ui/form-submission'
import { PasswordField } from '@/components/ui/password-field'
import type { Action } from '@/components/ui/use-action'
import { reauthenticateWithPassword, reauthenticateWithRecoveryCode } from '@/lib/browser/reauthentication'

/** That the person has just signed in again; with the password, if that was the way. */
export interface Reauthentication {
  password?: string
}

interface Props {
  username: string
  /** Asks for a recovery code and not for the password. */
  byCode: boolean
  /** Stands below another way to go on. */
  second: boolean
  action: Action
  /** Told before it is tried, for whoever goes on after it has worked. */
  onReauthenticate: (reauthentication: Reauthentication) => void
}

/** Signing in again with what has to be typed. */
export function ReauthenticationForm({ username, byCode, second, action, onReauthenticate }: Props) {
  const busy = action.pending !== null
  const fields = action.failure?.fields

  const submit = submitWhenFilled(action, (data) => {
    const password = textOf(data, 'reauthenticationPassword')
    onReauthenticate(byCode ? {} : { password })
    action.run('form', () =>
      byCode
        ? reauthenticateWithRecoveryCode(username, textOf(data, 'reauthenticationCode'))
        : reauthenticateWithPassword(username, password),
    )
  })

  return (
    // method=post: sent before this script has loaded, the form must not put a password into an address.
    <form method="post" noValidate onSubmit={submit} className="space-y-4">
      <KnownUsername username={username} />
      {byCode ? (
        <Field
          name="reauthenticationCode"
          label="Recovery code"
          hint="It is used up by this."
          autoComplete="off"
          autoCapitalize="characters"
          autoCorrect="off"
          spellCheck={false}
          required
          error={fields?.reauthenticationCode ?? fields?.code}
        />
      ) : (
        <PasswordField
          name="reauthenticationPassword"
          autoComplete="current-password"
          required
          pending={busy}
          error={fields?.reauthenticationPassword ?? fields?.password}
        />
      )}
      <Button
        type="submit"
        look={second ? 'secondary' : 'primary'}
        className="w-full"
        pending={action.pending === 'form'}
        disabled={busy}
      >
        Continue
      </Button>
    </form>
  )
}
