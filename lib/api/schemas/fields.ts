import * as z from 'zod'
import type { FieldError } from '../errors'
import { limits } from '../limits'

/** zod carries strings only, so the error of a field travels as JSON. */
export const fieldError = (error: FieldError) => JSON.stringify(error)

/** What is wrong with a field, from an issue of zod. An issue that no schema here words is a value of the wrong type. */
export function fieldErrorOf({ path, message }: z.core.$ZodIssue): FieldError {
  if (message.startsWith('{')) return JSON.parse(message)
  return { key: path.length === 0 ? 'not_json' : 'invalid' }
}

export const boolean = z.boolean({ error: fieldError({ key: 'not_boolean' }) })

export const flag = boolean.default(false)

export const text = z.string({ error: fieldError({ key: 'invalid' }) })

export const base64url = (characters = limits.body as number) =>
  z
    .string({ error: fieldError({ key: 'not_base64url' }) })
    .max(characters, fieldError({ key: 'too_long', max: characters }))
    .regex(/^[A-Za-z0-9_-]+$/, fieldError({ key: 'not_base64url' }))

export const credentialId = base64url(limits.credentialId)

/** Whether people see a name: not if it is blank, such as of Hangul fillers, or marks that have nothing to stand on. */
export const isVisible = (text: string): boolean =>
  /(?![\p{Default_Ignorable_Code_Point}\u2800])[\p{L}\p{N}\p{P}\p{S}]/u.test(text)

/**
 * Whether a name can be stored and shown in a line. PostgreSQL rejects NUL and lone surrogates in text, and some SQLite drivers stop
 * reading at NUL. Other controls turn or break the line that shows the name. Joiners and tags stay: emoji are made of them.
 */
export const isPlainLine = (text: string): boolean =>
  text.isWellFormed() && !/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u.test(text)

/** ISO 8601 in UTC. */
export const time = z.iso.datetime()

/** The body of errors that programs of apps get (RFC 6749 section 5.2). */
export const oauthErrorResponse = z.object({ error: z.string(), error_description: z.string() })

/** The body of every other error. */
export const errorResponse = z.object({
  /** A sentence for people. */
  error: z.string(),
  code: z.string(),
  /** With `invalid_request`: a sentence by field. */
  fields: z.record(z.string(), z.string()).exactOptional(),
  /** Seconds. */
  retryAfter: z.int().exactOptional(),
})
