import { createHash, timingSafeEqual } from 'node:crypto'
import { ApiError } from '@/lib/api/errors'
import { settings } from '@/lib/settings/settings'
import { readBearerToken } from './request/bearer-token'

/** @throws ApiError not_found while nobody may call, authentication_failed */
export function requireCron(authorization: string | null): object {
  const { cronSecret } = settings()
  if (cronSecret === undefined) throw new ApiError('not_found')
  const given = readBearerToken(authorization, null)
  // In constant time: how long a comparison takes must not show how many characters are right.
  if (given === null || !timingSafeEqual(digest(given), digest(cronSecret))) throw new ApiError('authentication_failed')
  return {}
}

const digest = (text: string) => createHash('sha256').update(text).digest()
