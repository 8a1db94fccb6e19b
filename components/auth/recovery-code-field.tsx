'use client'

import { Field } from '@/components/ui/field'
import { useWords } from '@/components/ui/words'

interface Props {
  hint: string
  error: string | undefined
}

/** Codes are in capitals and run from left to right. Password managers have nothing to fill in. */
export function RecoveryCodeField({ hint, error }: Props) {
  const words = useWords('forms')
  return (
    <Field
      name="code"
      dir="ltr"
      label={words.recoveryCode}
      missing={words.enterRecoveryCode}
      hint={hint}
      autoComplete="off"
      autoCapitalize="characters"
      autoCorrect="off"
      spellCheck={false}
      error={error}
    />
  )
}
