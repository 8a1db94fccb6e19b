'use client'

import { useState } from 'react'
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

export interface PasswordFieldProps extends Omit<FieldProps, 'name' | 'label' | 'type' | 'trailing'> {
  name?: string
  /** Its label, and the names of the button that shows and hides it. */
  words?: Record<'label' | 'show' | 'hide', string>
  /** Hides the password while the page sends the form, since some password managers save only password fields */
  pending: boolean
}

export function PasswordField({ pending, name = 'password', words, ...field }: PasswordFieldProps) {
  const forms = useWords('forms')
  const { label, show, hide } = words ?? forms.password
  const [shown, setShown] = useState(false)
  const visible = shown && !pending
  const toggle = (
    <button type="button" aria-label={visible ? hide : show} onClick={() => setShown(!shown)}>
      {visible ? forms.hide : forms.show}
    </button>
  )
  const type = visible ? 'text' : 'password'
  // Runs from left to right in every language, like usernames.
  return <Field data-secret dir="ltr" {...field} name={name} label={label} type={type} trailing={toggle} />
}
