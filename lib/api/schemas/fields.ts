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
 * Whether a name can be stored and shown in a line. PostgreSQL rejects NUL and lone surrogates in text, and some SQLite drivers
 * stop reading at NUL. Other controls turn or break the line that shows the name. Joiners and tags stay: emoji are made of them.
 */
export const isPlainLine = (text: string): boolean =>
  text.isWellFormed() && !/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u.test(text)

/** Of an e-mail address (RFC 5321 section 4.5.3.1.3, without the angle brackets). */
const maxCharacters = 254
/** A dot-atom (RFC 5322 section 3.2.3) of at most 64 characters (RFC 5321 section 4.5.3.1.1). */
const localPart = /^(?=.{1,64}$)[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/
/** Two labels or more (RFC 1035 section 2.3.1), of which the last is no number. */
const hostName = /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])$/
/** URL parsing would ignore or replace other characters. */
const readableDomain = /^[\p{L}\p{M}\p{N}.-]+$/u

/** One e-mail address, its domain as A-labels (RFC 5890 section 2.3.2.1) in lower case. */
export const emailAddress = z.string({ error: fieldError({ key: 'email_format' }) }).transform((text, context) => {
  const at = text.lastIndexOf('@')
  const [local, domain] = [text.slice(0, Math.max(at, 0)), aLabels(text.slice(at + 1))]
  const email = `${local}@${domain}`
  if (localPart.test(local) && hostName.test(domain) && email.length <= maxCharacters) return email
  context.addIssue(fieldError({ key: 'email_format' }))
  return z.NEVER
})

function aLabels(domain: string): string {
  const url = `https://${domain}`
  return readableDomain.test(domain) && URL.canParse(url) ? new URL(url).hostname : ''
}

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
