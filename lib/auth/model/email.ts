import * as z from 'zod'
import { fieldError } from '@/lib/api/schemas'

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

/** E-mail addresses are unique without regard to case, also among other accounts' usernames. */
export const emailKey = (email: string) => email.toLowerCase()
