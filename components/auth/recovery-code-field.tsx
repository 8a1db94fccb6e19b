'use client'

import { Field, type FieldProps } from '@/components/ui/forms/field'
import { useWords } from '@/components/ui/words/words'

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
