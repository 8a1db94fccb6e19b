import { ApiError } from '@/lib/api/errors'
import { database } from '@/lib/database/client'
import { tryMail } from '@/lib/delivery/letters'
import type { Locale } from '@/lib/messages/locales'
import { connectRedis } from '@/lib/rate-limit/limiter'
import { settings } from '@/lib/settings/settings'
import { emailKey } from '../account'
import { letterLocale } from '../events/letters'
import { logChange } from '../events/operators-log'
import { consumeAttempt } from '../throttling/attempts'
import type { Operator } from './operator'

/** Counts a letter that an operator sends to an address. @throws ApiError invalid_request, too_many_attempts */
export async function requireLetter(operator: Operator, email: string): Promise<void> {
  if (!settings().mail) throw new ApiError('invalid_request', { fields: { email: { key: 'mail_off' } } })
  await connectRedis()
  if (operator.by !== null) await consumeAttempt('letters-sender', operator.by)
  // An operator is told, unlike a stranger: somebody waits for the letter.
  await consumeAttempt('letters-address', emailKey(email))
  await consumeAttempt('letters-address-day', emailKey(email))
}

/** Sends a letter to try the mail server, and says what that answers. @throws ApiError invalid_request, too_many_attempts */
export async function tryLetter(operator: Operator, email: string) {
  await requireLetter(operator, email)
  await logChange(operator, 'letter_tried')
  return (await tryMail(email, await languageOf(operator))) ?? { error: null, fault: null }
}

/** Finds the language of the operator, who tries the letter on an address of their own. */
async function languageOf({ kind, by }: Operator): Promise<Locale> {
  const db = await database()
  const user = kind === 'administrator' ? await db.user.findUnique({ where: { id: by ?? '' } }) : null
  return letterLocale(user?.language ?? null)
}
