'use client'

import { type FormEvent, useState } from 'react'
import { PasswordField, type PasswordFieldProps } from '@/components/ui/password-field'
import { passwordAdvice } from '@/lib/browser/password-advice'

interface Props extends Omit<PasswordFieldProps, 'autoComplete' | 'hint' | 'onInput'> {
  /** Code points. */
  passwordMinLength: number
  /** Follows the length in the hint that an empty field shows. */
  hintEnd: string
}

/** A password to keep. While it is typed, the sentence below advises; it never keeps the form from being sent. */
export function NewPasswordField({ passwordMinLength, hintEnd, ...field }: Props) {
  const [advice, setAdvice] = useState<string | null>(null)

  function advise({ currentTarget: { value, form } }: FormEvent<HTMLInputElement>) {
    const username = form?.elements.namedItem('username')
    const name = username instanceof HTMLInputElement ? username.value.trim() : ''
    setAdvice(value ? passwordAdvice(value, name, passwordMinLength) : null)
  }
  return (
    <PasswordField
      {...field}
      // For password managers that make one up (Apple, "Customizing Password AutoFill Rules").
      {...{ passwordrules: `minlength: ${passwordMinLength};` }}
      minLength={passwordMinLength}
      autoComplete="new-password"
      hint={advice ?? `At least ${passwordMinLength} characters. ${hintEnd}`}
      onInput={advise}
    />
  )
}
