import { z } from 'zod'
import { ApiError } from '@/lib/api/errors'

/** @throws ApiError invalid_request, with a sentence for each invalid field */
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
  // UTF-8 cannot encode unpaired surrogates: passwords that differ only in them would have the same hash.
  .refine((text) => text.isWellFormed(), 'Use text that is well-formed Unicode.')
  // Systems differ in whether they compose characters (NIST SP 800-63B-4 section 3.1.1.2).
  .transform((text) => text.normalize('NFC'))
  .refine((text) => Buffer.byteLength(text) <= passwordBytes, 'Use at most 1,024 bytes.')

/** Not held to the rules for new passwords, which may be stricter than when this one was set. */
export const givenPassword = passwordText.refine((text) => text.length > 0, 'Enter a password.')

/** At least 8 code points, and no composition rules, which make passwords weaker (same section) */
export const newPassword = passwordText.refine((text) => [...text].length >= 8, 'Use at least 8 characters.')
