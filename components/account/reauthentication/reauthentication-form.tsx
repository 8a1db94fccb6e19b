'use client'

import { KnownUsername } from '@/components/auth/known-username'
import { RecoveryCodeField } from '@/components/auth/recovery-code-field'
import { Button } from '@/components/ui/button'
import type { Action } from '@/components/ui/feedback/use-action'
import { Form } from '@/components/ui/forms/form'
import { submitWhenFilled, textOf } from '@/components/ui/forms/form-submission'
import { PasswordField } from '@/components/ui/forms/password-field'
import { useWords } from '@/components/ui/words/words'
import { reauthenticateWithPassword, reauthenticateWithRecoveryCode } from '@/lib/browser/sign-in/reauthentication'

/** Proof that the person has just signed in again, with the password if they used it. */
export interface Reauthentication {
  password?: string
}

interface Props {
  username: string
  byCode: boolean
  /** Whether its button is the primary one of the dialog. */
  isPrimary: boolean
  action: Action
  onAnswer: (reauthentication: Reauthentication) => void
}

export function ReauthenticationForm({ username, byCode, isPrimary, action, onAnswer }: Props) {
  const forms = useWords('forms')
  const words = useWords('account')
  const { busy } = action
  const fields = action.failure?.fields

  function send(data: FormData) {
    const password = textOf(data, 'password')
    return action.run(
      'form',
      () => (byCode ? reauthenticateWithRecoveryCode(textOf(data, 'code')) : reauthenticateWithPassword(password)),
      () => void onAnswer(byCode ? {} : { password }),
    )
  }
  const submit = submitWhenFilled(action, send, 'authentication_failed')

  return (
    <Form action={action} onSubmit={submit} className="space-y-4">
      <KnownUsername username={username} />
      {byCode ? (
        <RecoveryCodeField hint={words.codeWorksOnce} error={fields?.code} />
      ) : (
        <PasswordField
          missing={forms.enterPassword}
          autoComplete="current-password"
          pending={busy}
          error={fields?.password}
        />
      )}
      <Button
        type="submit"
        look={isPrimary ? 'primary' : 'secondary'}
        className="w-full"
        pending={action.pending === 'form'}
        disabled={busy}
      >
        {words.continue}
      </Button>
    </Form>
  )
}
