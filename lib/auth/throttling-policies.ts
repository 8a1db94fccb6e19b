import { createHash } from 'node:crypto'
import { ApiError, isApiError } from '@/lib/api/errors'
import { rateLimiter } from '@/lib/rate-limit/limiter'
import type { Attempt } from '@/lib/rate-limit/store'
import { settings } from '@/lib/settings/settings'

/** Every named quota: whom it counts, and which setting says how many. All share one window. */
const policies = {
  /** Password attempts on an account, whoever makes them; counted by name, so an unknown one behaves alike. */
  login: 'passwordMax',
  /** Password attempts from a browser that has signed in to the account before, counted by its device token. */
  device: 'passwordMax',
  /** From one address over all accounts: failed passwords, accounts made, taken names told. */
  address: 'addressMax',
  /** From one address: failed passkey verifications. */
  passkey: 'addressMax',
} as const

export type Policy = keyof typeof policies

function limiterFor(policy: Policy) {
  const { rateLimit } = settings()
  return rateLimiter(policy, rateLimit[policies[policy]], rateLimit.windowMilliseconds)
}

/** A digest, so that the table of attempts is no list of names and addresses. */
const digest = (whom: string) => createHash('sha256').update(whom).digest('base64url').slice(0, 22)

const tooManyAttempts = (retryAt: number) => {
  const retryAfter = Math.max(1, Math.ceil((retryAt - Date.now()) / 1000))
  return new ApiError('too_many_attempts', { retryAfter })
}

/**
 * Counts one attempt, before it is made.
 *
 * @returns the attempt: `refund` takes it back if it turns out not to count, `reset` forgets it and all before it
 * @throws ApiError too_many_attempts
 */
export async function consumeAttempt(policy: Policy, whom: string): Promise<Pick<Attempt, 'refund' | 'reset'>> {
  const attempt = await limiterFor(policy).consume(digest(whom))
  if (!attempt.success) throw tooManyAttempts(attempt.retryAt)
  return attempt
}

/** Refuses when nothing is left, and counts nothing. @throws ApiError too_many_attempts */
export async function requireRemainingAttempts(policy: Policy, whom: string): Promise<void> {
  const { remaining, retryAt } = await limiterFor(policy).remaining(digest(whom))
  if (remaining < 1) throw tooManyAttempts(retryAt)
}

/**
 * Claims a name, for which an attempt was taken on the address: a taken name that is told stays counted, so that nobody lists
 * names without end; what went wrong otherwise does not.
 */
export async function claimName<T>(attempt: Pick<Attempt, 'refund'>, claim: () => Promise<T>): Promise<T> {
  return claim().catch(async (error: unknown) => {
    if (!isApiError(error) || error.code !== 'username_taken') await attempt.refund()
    throw error
  })
}
