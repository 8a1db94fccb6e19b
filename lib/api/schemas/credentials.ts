import * as z from 'zod'
import type { FieldError } from '../errors'
import { limits } from '../limits'
import { fieldError, text } from './fields'

const { min, max, characters } = limits.username

/** What comes along where a name is copied: spaces around it, and characters that nobody sees, such as zero-width ones. */
const withoutInvisible = (text: string) => text.replace(/\p{Default_Ignorable_Code_Point}/gu, '').trim()

/** Says what is wrong with a name that a pattern rejects, one thing at a time. */
function usernameFault(name: string): FieldError {
  if (name.length < min || name.length > max) return { key: 'username_length', min, max }
  if (/\s/.test(name)) return { key: 'username_spaces' }
  return { key: name.startsWith('-') ? 'username_hyphen' : 'username_format' }
}

const usernameOf = (pattern: string) =>
  z
    .string({ error: fieldError({ key: 'username_missing' }) })
    .overwrite(withoutInvisible)
    .regex(new RegExp(pattern), { error: ({ input }) => fieldError(usernameFault(String(input))) })

/** ASCII letters, digits and `. _ - @ +`: a username that an account has, which may be older than the rule for new ones. */
export const username = usernameOf(`^[${characters}-]{${min},${max}}$`)

/** A username to take. With a hyphen first, a script would hand it to a command of the operator's as an option. */
export const newUsername = usernameOf(`^[${characters}][${characters}-]{${min - 1},${max - 1}}$`)

const passwordTooLong = fieldError({ key: 'password_too_long', max: limits.password })

/** UTF-16 units before NFC, which composes at most three of them to two bytes (U+01D5): a longer text is too long in any form. */
const maxPasswordUnits = 1.5 * limits.password

const passwordText = z
  .string({ error: fieldError({ key: 'password_missing' }) })
  // Aborts: to normalize 64 KiB of combining marks takes most of a second.
  .max(maxPasswordUnits, { abort: true, error: passwordTooLong })
  // Unpaired surrogates have no UTF-8 form: two passwords that differ in one would hash alike.
  .refine((text) => text.isWellFormed(), fieldError({ key: 'password_malformed' }))
  .refine((text) => Buffer.byteLength(text.normalize('NFC')) <= limits.password, passwordTooLong)

/** A password to sign in with, as typed: it may be older than the rules for new ones, and come from elsewhere. */
export const givenPassword = passwordText.refine((text) => text.length > 0, fieldError({ key: 'password_missing' }))

/**
 * A password to keep; lib/auth/passwords/password-rules.ts has the rules that depend on settings. No composition rules: they make
 * passwords worse (NIST SP 800-63B-4 section 3.1.1.2).
 */
export const newPassword = passwordText
  // Systems type the same characters composed or decomposed (NIST SP 800-63B-4 section 3.1.1.2).
  .transform((text) => text.normalize('NFC'))
  .meta({
    minLength: 8,
    description:
      'At least 8 code points, or more if PASSWORD_MIN_LENGTH says so, and at most 1 KiB of UTF-8 in NFC. Rejected if it is a common password, the username, or the name or host of this service, in any case and with any digits at the end',
  })

/** Any text: one that is no invitation is answered like one that was used. */
export const invitation = text
  .optional()
  .meta({ description: 'A token of `/signup#invitation=`; required while SIGN_UP=invited' })
