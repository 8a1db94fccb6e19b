import { createHash, timingSafeEqual } from 'node:crypto'
import { ApiError } from '@/lib/api/errors'
import type { RequestContext } from '@/lib/auth/model/request-context'
import { consumeAddressAttempt } from '@/lib/auth/throttling/attempts'
import { settings } from '@/lib/settings/settings'
import { bearerOf } from '../request/bearer-token'

/**
 * Counts only wrong secrets, by address: strangers cannot keep the cron job out.
 *
 * @throws ApiError not_found while nobody may call, authentication_failed, too_many_attempts
 */
export async function requireCron(authorization: string | null, { address }: RequestContext): Promise<object> {
  const { cronSecret } = settings()
  if (cronSecret === undefined) throw new ApiError('not_found')
  const given = bearerOf(authorization)
  // In constant time, or the duration would show how many characters are right.
  if (given !== null && timingSafeEqual(digest(given), digest(cronSecret))) return {}
  await consumeAddressAttempt('address', address)
  throw new ApiError('authentication_failed')
}

const digest = (text: string) => createHash('sha256').update(text).digest()
