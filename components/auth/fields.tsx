'use client'

import { Field, type FieldProps } from '@/components/ui/forms/form'
import { useWords } from '@/components/ui/words/words'

/** Tells password managers which account the password field beside it belongs to. */
export function KnownUsername({ username }: { username: string }) {
  return <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
}

/** A username field without autocorrection. As the first field of its form it takes the focus by default. */
export function UsernameField(field: Partial<FieldProps>) {
  const words = useWords('forms')
  return (
    <Field
      label={words.username}
      missing={words.enterUsername}
      autoComplete="username"
      {...field}
      name="username"
      dir="ltr"
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
      autoFocus={field.autoFocus ?? true}
    />
  )
}

/** Codes are in capitals and run from left to right. Password managers have nothing to fill in. */
export function RecoveryCodeField(field: Pick<FieldProps, 'hint' | 'error' | 'autoFocus'>) {
  const words = useWords('forms')
  return (
    <Field
      label={words.recoveryCode}
      missing={words.enterRecoveryCode}
      autoComplete="off"
      {...field}
      name="code"
      data-secret
      dir="ltr"
      autoCapitalize="characters"
      autoCorrect="off"
      spellCheck={false}
    />
  )
}
