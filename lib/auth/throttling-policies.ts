import { createHmac } from 'node:crypto'
import { ApiError, isApiError } from '@/lib/api/errors'
import { singleton } from '@/lib/process/singleton'
import { rateLimiter } from '@/lib/rate-limit/limiter'
import type { Attempt } from '@/lib/rate-limit/store'
import { deriveKey } from '@/lib/settings/derive-key'
import { settings } from '@/lib/settings/settings'

/** The setting that limits each policy; all share one window. */
const policies = {
  /** Password and recovery code attempts, per username */
  password: 'passwordMax',
  /** The same from browsers that have signed in to the account before, per device token */
  'password-device': 'passwordMax',
  /** Failures of `password`, accounts created and taken usernames reported, per address */
  address: 'addressMax',
  /** Failed passkey verifications, per address */
  passkey: 'addressMax',
} as const

export type Policy = keyof typeof policies

function limiterFor(policy: Policy) {
  const { rateLimit } = settings()
  return rateLimiter(policy, rateLimit[policies[policy]], rateLimit.windowMilliseconds)
}

/**
 * Keeps usernames and addresses out of the attempts table and Redis. Under a key, because whoever reads a plain digest
 * can try all IPv4 addresses and likely names.
 */
function digest(subject: string): string {
  const key = singleton('rate-limit-key', () => deriveKey(settings().secret, 'latchkey/rate-limit'))
  return createHmac('sha256', key).update(subject).digest('base64url').slice(0, 22)
}

const tooManyAttempts = (retryAt: number) => {
  const retryAfter = Math.max(1, Math.ceil((retryAt - Date.now()) / 1000))
  return new ApiError('too_many_attempts', { retryAfter })
}

/** Counts an attempt before it is made. @throws ApiError too_many_attempts */
export async function consumeAttempt(policy: Policy, subject: string): Promise<Pick<Attempt, 'refund' | 'reset'>> {
  const attempt = await limiterFor(policy).consume(digest(subject))
  if (!attempt.success) throw tooManyAttempts(attempt.retryAt)
  return attempt
}

/** Counts nothing. @throws ApiError too_many_attempts */
export async function requireRemainingAttempts(policy: Policy, subject: string): Promise<void> {
  const { remaining, retryAt } = await limiterFor(policy).remaining(digest(subject))
  if (remaining < 1) throw tooManyAttempts(retryAt)
}

/** Refunds a failed claim's attempt, unless the username is taken: that limits username enumeration. */
export async function claimUsername<T>(attempt: Pick<Attempt, 'refund'>, claim: () => Promise<T>): Promise<T> {
  return claim().catch(async (error: unknown) => {
    if (!isApiError(error) || error.code !== 'username_taken') await attempt.refund()
    throw error
  })
}
