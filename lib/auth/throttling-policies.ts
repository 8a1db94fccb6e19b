import { createHmac } from 'node:crypto'
import { ApiError, isApiError } from '@/lib/api/errors'
import { singleton } from '@/lib/process/singleton'
import { recorder, type ThrottledPolicy } from '@/lib/process/telemetry'
import { rateLimiter } from '@/lib/rate-limit/limiter'
import type { Attempt } from '@/lib/rate-limit/store'
import { deriveKey } from '@/lib/settings/derive-key'
import type { Settings } from '@/lib/settings/schema'
import { settings } from '@/lib/settings/settings'
import { surroundingNetwork } from './networks'

type RateLimit = Settings['rateLimit']

const dayMilliseconds = 86_400_000
const perPassword = ({ passwordMax }: RateLimit) => passwordMax
const perAddress = ({ addressMax }: RateLimit) => addressMax
/** An IPv6 /48 is a site as often as it is one customer with 65,536 addresses. */
const perNetwork = ({ addressMax }: RateLimit) => 10 * addressMax
/** More than anyone needs, and few enough that a right credential cannot keep the server hashing and writing. */
const perOwner = ({ passwordMax }: RateLimit) => 12 * passwordMax

/** How many attempts each policy allows in the window of RATE_LIMIT_LOGIN_WINDOW. */
const policies = {
  /** Password attempts per username, from browsers that are not known to the account */
  password: perPassword,
  /** The same after a hundred failures in a row; its window is a day */
  'password-day': perPassword,
  /** Password attempts per device token, or all tokens of earlier epochs of one account */
  'password-device': perPassword,
  /** Failures of `password`, accounts created and taken usernames reported, per address */
  address: perAddress,
  'address-48': perNetwork,
  /** Failed passkey verifications, per address */
  passkey: perAddress,
  'passkey-48': perNetwork,
  /** Wrong recovery codes, per address. No limit per username: 120 random bits need none, and it would lock owners out. */
  recovery: perAddress,
  'recovery-48': perNetwork,
  /** Successful sign-ins, per account */
  'sign-ins': perOwner,
  /** Successful writes to an account, per account */
  'account-writes': perOwner,
} as const

export type Policy = keyof typeof policies

/** What telemetry calls them: an operator acts alike on an address and on the network around it. */
const reported: Record<Policy, ThrottledPolicy> = {
  password: 'password',
  'password-day': 'password',
  'password-device': 'password-device',
  address: 'address',
  'address-48': 'address',
  passkey: 'passkey',
  'passkey-48': 'passkey',
  recovery: 'recovery-code',
  'recovery-48': 'recovery-code',
  'sign-ins': 'sign-ins',
  'account-writes': 'account-writes',
}

type AddressPolicy = 'address' | 'passkey' | 'recovery'

function limiterFor(policy: Policy) {
  const { rateLimit } = settings()
  const milliseconds = policy === 'password-day' ? dayMilliseconds : rateLimit.windowMilliseconds
  return rateLimiter(policy, policies[policy](rateLimit), milliseconds)
}

/**
 * Keeps usernames and addresses out of the tables of attempts and Redis. Under a key, because whoever reads a plain digest
 * can try all IPv4 addresses and likely names.
 */
export function subjectDigest(subject: string): string {
  const key = singleton('rate-limit-key', () => deriveKey(settings().secret, 'latchkey/rate-limit'))
  return createHmac('sha256', key).update(subject).digest('base64url').slice(0, 22)
}

const tooManyAttempts = (retryAt: number) => {
  const retryAfter = Math.max(1, Math.ceil((retryAt - Date.now()) / 1000))
  return new ApiError('too_many_attempts', { retryAfter })
}

/** Counts an attempt before it is made. @throws ApiError too_many_attempts */
export async function consumeAttempt(policy: Policy, subject: string): Promise<Pick<Attempt, 'refund' | 'reset'>> {
  const attempt = await limiterFor(policy).consume(subjectDigest(subject))
  if (attempt.success) return attempt
  recorder()?.count('latchkey.throttled', { policy: reported[policy] })
  throw tooManyAttempts(await attempt.retryAt())
}

interface Refundable {
  refund(): Promise<unknown>
}

/**
 * Counts an attempt against an address and the IPv6 /48 around it. The /48 comes first, so that one past its limit writes
 * no rows for ever new addresses.
 *
 * @param address of a `RequestContext`
 * @throws ApiError too_many_attempts
 */
export async function consumeAddressAttempt(policy: AddressPolicy, address: string): Promise<Refundable> {
  const network = surroundingNetwork(address)
  const surrounding = network === null ? null : await consumeAttempt(`${policy}-48`, network)
  const attempt = await refundOnError(surrounding, () => consumeAttempt(policy, address))
  return { refund: () => Promise.all([surrounding?.refund(), attempt.refund()]) }
}

/** Refunds what was counted if the action fails. */
export function refundOnError<T>(counted: Refundable | null, action: () => Promise<T>): Promise<T> {
  return action().catch(async (error: unknown) => {
    await counted?.refund()
    throw error
  })
}

/**
 * Counts failures of a verification against the address: before it, so that concurrent ones all count, and refunded unless
 * it says that the credential is wrong. Many people may share an address, so successes never count.
 *
 * @throws ApiError too_many_attempts
 */
export async function countFailures<T>(
  policy: 'passkey' | 'recovery',
  address: string,
  verify: () => Promise<T>,
): Promise<T> {
  const attempt = await consumeAddressAttempt(policy, address)
  let failed = false
  try {
    return await verify()
  } catch (error) {
    failed = isApiError(error) && ['authentication_failed', 'unknown_passkey'].includes(error.code)
    throw error
  } finally {
    if (!failed) await attempt.refund()
  }
}

/**
 * Limits how often an account is written to, such as a passkey or code made, a name or a password changed: counted before
 * `write`, refunded if it fails.
 *
 * @throws ApiError too_many_attempts
 */
export async function limitAccountWrites<T>(userId: string, write: () => Promise<T>): Promise<T> {
  return refundOnError(await consumeAttempt('account-writes', userId), write)
}

/** Refunds a failed claim's attempt, unless the username is taken: that limits username enumeration. */
export async function claimUsername<T>(attempt: Refundable, claim: () => Promise<T>): Promise<T> {
  return claim().catch(async (error: unknown) => {
    if (!isApiError(error) || error.code !== 'username_taken') await attempt.refund()
    throw error
  })
}
