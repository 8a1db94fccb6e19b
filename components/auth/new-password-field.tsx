'use client'

import { type FormEvent, useState } from 'react'
import { PasswordField, type PasswordFieldProps } from '@/components/auth/fields'
import { useLocale, useWords } from '@/components/ui/words/words'
import type { Words } from '@/lib/messages/en'
import { fill } from '@/lib/messages/format/text'
import type { Locale } from '@/lib/messages/locales'

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

/**
 * Says in words how to make a new password harder to guess. Looks at the length and a few patterns only: the list of common
 * passwords is too large for a page, and the server decides.
 *
 * @param minLength in code points
 */
export function passwordAdvice(
  { locale, words }: { locale: Locale; words: Words['passwordAdvice'] },
  password: string,
  username: string,
  minLength: number,
): string {
  // Counts like the server: in NFC, and before lower case, which can be longer.
  const characters = [...password.normalize('NFC')]
  const missing = minLength - characters.length
  if (missing > 0) return fill(locale, words.missing, { count: missing })
  if (username.length > 2 && password.toLowerCase().includes(username.toLowerCase())) return words.username
  if (predictableSteps([...password.toLowerCase()]) * 2 >= characters.length - 1) return words.steps
  if (/^\p{L}+[^\p{L}\s]*$/u.test(password) && characters.length < longEnough) return words.oneWord
  if (characters.length < longEnough) return words.good
  return words.long
}

/** NIST SP 800-63B-4 section 3.1.1.2 asks for this many characters where people use a password alone. */
const longEnough = 15

/** Counts the characters that repeat the one before or are its neighbour in the character set. */
const predictableSteps = (characters: string[]) =>
  characters.filter((character, index) => {
    const before = characters[index - 1]?.codePointAt(0)
    return before !== undefined && Math.abs((character.codePointAt(0) ?? 0) - before) <= 1
  }).length
