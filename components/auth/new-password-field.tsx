'use client'

import { type FormEvent, useState } from 'react'
import { passwordAdvice } from '@/components/auth/password-advice'
import { PasswordField, type PasswordFieldProps } from '@/components/ui/forms/password-field'
import { useLocale, useWords } from '@/components/ui/words/words'

interface Props extends Omit<PasswordFieldProps, 'autoComplete' | 'hint' | 'onInput'> {
  /** In code points */
  passwordMinLength: number
  /** The hint of an empty field */
  hint: string
}

/** A field for a new password, whose hint advises while a person types; the advice never blocks the form. */
export function NewPasswordField({ passwordMinLength, hint, ...field }: Props) {
  const locale = useLocale()
  const words = useWords('passwordAdvice')
  const [advice, setAdvice] = useState<string | null>(null)

  function advise({ currentTarget: { value, form } }: FormEvent<HTMLInputElement>) {
    const username = form?.elements.namedItem('username')
    const name = username instanceof HTMLInputElement ? username.value.trim() : ''
    setAdvice(value ? passwordAdvice({ locale, words }, value, name, passwordMinLength) : null)
  }
  return (
    <PasswordField
      {...field}
      // Tells password managers the rule for the passwords that they make up (Apple, "Customizing Password AutoFill Rules").
      {...{ passwordrules: `minlength: ${passwordMinLength};` }}
      minLength={passwordMinLength}
      autoComplete="new-password"
      hint={advice ?? hint}
      onInput={advise}
    />
  )
}
