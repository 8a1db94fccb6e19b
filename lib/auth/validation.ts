import { z } from 'zod'
import { ApiError } from '@/lib/api/errors'

/**
 * Turns unknown input into known.
 *
 * @throws ApiError invalid_request, with a sentence for every wrong field
 */
export function parse<T extends z.ZodType>(schema: T, input: unknown): z.infer<T> {
  const { data, error } = schema.safeParse(input)
  if (!error) return data as z.infer<T>
  const fields: Record<string, string> = {}
  for (const { path, message } of error.issues) fields[path.join('.') || 'body'] ??= message
  throw new ApiError('invalid_request', { fields })
}

/** 3 to 64 of ASCII letters, digits and `. _ - @ +`. */
export const username = z
  .string({ error: 'Enter a username.' })
  .regex(/^[A-Za-z0-9._@+-]{3,64}$/, 'Use 3 to 64 letters, digits or . _ - @ +')

const passwordBytes = 1024

const passwordText = z
  .string({ error: 'Enter a password.' })
  .max(passwordBytes, 'Use at most 1,024 bytes.')
  // An unpaired surrogate has no UTF-8 form: two passwords that differ in one would be the same.
  .refine((text) => text.isWellFormed(), 'Use text that is well-formed Unicode.')
  // The same characters typed on two systems may come composed or decomposed (NIST SP 800-63B-4 section 3.1.1.2).
  .transform((text) => text.normalize('NFC'))
  .refine((text) => Buffer.byteLength(text) <= passwordBytes, 'Use at most 1,024 bytes.')

/** A password to sign in with: the rules of the day it was made are not asked again. */
export const givenPassword = passwordText.refine((text) => text.length > 0, 'Enter a password.')

/** A password to keep: at least 8 code points and no rules of composition, which make passwords worse (same section). */
export const newPassword = passwordText.refine((text) => [...text].length >= 8, 'Use at least 8 characters.')
