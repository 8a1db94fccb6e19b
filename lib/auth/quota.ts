import { createHash } from 'node:crypto'
import { limiter } from '@/lib/data/limiter'
import { settings } from '@/lib/data/settings'
import { ApiError } from '@/lib/error'

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

/** Counts one attempt, before it is made. @throws ApiError too_many_attempts */
export async function take(quota: Quota, whom: string): Promise<void> {
  const { success, reset } = await limiterOf(quota).limit(digest(whom))
  if (!success) throw refuse(reset)
}

/** Takes back one attempt that turned out not to count. */
export async function giveBack(quota: Quota, whom: string): Promise<void> {
  await limiterOf(quota).limit(digest(whom), { rate: -1 })
}

/** Forgets the attempts counted for `whom`. */
export async function clear(quota: Quota, whom: string): Promise<void> {
  await limiterOf(quota).resetUsedTokens(digest(whom))
}

/** Refuses when nothing is left, and counts nothing. @throws ApiError too_many_attempts */
export async function requireLeft(quota: Quota, whom: string): Promise<void> {
  const { remaining, reset } = await limiterOf(quota).getRemaining(digest(whom))
  if (remaining < 1) throw refuse(reset)
}
