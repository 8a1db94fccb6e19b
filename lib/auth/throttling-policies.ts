import { createHash } from 'node:crypto'
import { ApiError, isApiError } from '@/lib/api/errors'
import { limiter } from '@/lib/rate-limit/limiter'
import type { Attempt } from '@/lib/rate-limit/sliding-window'
import { settings } from '@/lib/settings/settings'

/** Every named quota: whom it counts, and which setting says how many. All share one window. */
const quotas = {
  /** Password attempts on an account, whoever makes them; counted by name, so an unknown one behaves alike. */
  login: 'loginMax',
  /** Password attempts from a browser that has signed in to the account before, counted by its device token. */
  device: 'loginMax',
  /** From one address over all accounts: failed passwords, accounts made, taken names told. */
  address: 'addressMax',
  /** From one address: failed passkey verifications. */
  passkey: 'addressMax',
} as const

export type Quota = keyof typeof quotas

function limiterOf(quota: Quota) {
  const { attempts } = settings()
  return limiter(quota, attempts[quotas[quota]], attempts.windowMilliseconds)
}

/** A digest, so that the table of attempts is no list of names and addresses. */
const digest = (whom: string) => createHash('sha256').update(whom).digest('base64url').slice(0, 22)

const refuse = (reset: number) => {
  const retryAfter = Math.max(1, Math.ceil((reset - Date.now()) / 1000))
  return new ApiError('too_many_attempts', { retryAfter })
}

/**
 * Counts one attempt, before it is made.
 *
 * @returns the attempt: `giveBack` takes it back if it turns out not to count, `clear` forgets it and all before it
 * @throws ApiError too_many_attempts
 */
export async function take(quota: Quota, whom: string): Promise<Pick<Attempt, 'giveBack' | 'clear'>> {
  const attempt = await limiterOf(quota).take(digest(whom))
  if (!attempt.success) throw refuse(attempt.reset)
  return attempt
}

/** Refuses when nothing is left, and counts nothing. @throws ApiError too_many_attempts */
export async function requireLeft(quota: Quota, whom: string): Promise<void> {
  const { remaining, reset } = await limiterOf(quota).left(digest(whom))
  if (remaining < 1) throw refuse(reset)
}

/**
 * Claims a name, for which an attempt was taken on the address: a taken name that is told stays counted, so that nobody lists
 * names without end; what went wrong otherwise does not.
 */
export async function claimName<T>(attempt: Pick<Attempt, 'giveBack'>, claim: () => Promise<T>): Promise<T> {
  return claim().catch(async (error: unknown) => {
    if (!isApiError(error) || error.code !== 'username_taken') await attempt.giveBack()
    throw error
  })
}
