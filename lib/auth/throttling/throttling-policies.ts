import { createHmac } from 'node:crypto'
import { ApiError, isApiError } from '@/lib/api/errors'
import { singleton } from '@/lib/process/singleton'
import { recorder, type ThrottledPolicy } from '@/lib/process/telemetry'
import { rateLimiter } from '@/lib/rate-limit/limiter'
import type { Attempt } from '@/lib/rate-limit/store'
import { deriveKey } from '@/lib/settings/derive-key'
import type { Settings } from '@/lib/settings/schema'
import { settings } from '@/lib/settings/settings'
import { surroundingNetwork } from '../model/networks'

type RateLimit = Settings['rateLimit']

const perPassword = ({ passwordMax }: RateLimit) => passwordMax
const perAddress = ({ addressMax }: RateLimit) => addressMax
/** An IPv6 /48 may be a whole site, or one customer with 65,536 addresses. */
const perNetwork = ({ addressMax }: RateLimit) => 10 * addressMax
/** More than anyone needs, and too few for a valid credential to keep the server hashing and writing. */
const perOwner = ({ passwordMax }: RateLimit) => 12 * passwordMax

interface PolicyRow {
  max: (limits: RateLimit) => number
  /** Instead of RATE_LIMIT_LOGIN_WINDOW. */
  windowMilliseconds?: number
  /** Its name in telemetry, where an address and its network are one, since operators treat them alike. */
  reportedAs: ThrottledPolicy
}

const policies = {
  /** Password attempts per username, from browsers that are not known to the account */
  password: { max: perPassword, reportedAs: 'password' },
  /** The same after a hundred failures in a row */
  'password-day': { max: perPassword, windowMilliseconds: 86_400_000, reportedAs: 'password' },
  /** Password attempts per device token, or all tokens of earlier epochs of one account */
  'password-device': { max: perPassword, reportedAs: 'password-device' },
  /** Failures of `password`, accounts created and taken usernames reported, per address */
  address: { max: perAddress, reportedAs: 'address' },
  'address-48': { max: perNetwork, reportedAs: 'address' },
  /** Failed passkey verifications, per address */
  passkey: { max: perAddress, reportedAs: 'passkey' },
  'passkey-48': { max: perNetwork, reportedAs: 'passkey' },
  /** Wrong recovery codes, per address. No limit per username: 120 random bits need none, and it would lock owners out. */
  recovery: { max: perAddress, reportedAs: 'recovery-code' },
  'recovery-48': { max: perNetwork, reportedAs: 'recovery-code' },
  /** Wrong secrets of apps, per address and app */
  client: { max: perAddress, reportedAs: 'client' },
  /** Successful sign-ins, per account */
  'sign-ins': { max: perOwner, reportedAs: 'sign-ins' },
  /** Successful writes to an account, per account */
  'account-writes': { max: perOwner, reportedAs: 'account-writes' },
} satisfies Record<string, PolicyRow>

export type Policy = keyof typeof policies

type AddressPolicy = 'address' | 'passkey' | 'recovery'

function limiterFor(policy: Policy) {
  const { rateLimit } = settings()
  const { max, windowMilliseconds = rateLimit.windowMilliseconds }: PolicyRow = policies[policy]
  return rateLimiter(policy, max(rateLimit), windowMilliseconds)
}

/**
 * Keeps usernames and addresses out of the database and Redis. Keyed, because plain digests of IPv4 addresses and
 * likely names can be brute-forced.
 */
export function subjectDigest(subject: string): string {
  const key = singleton('rate-limit-key', () => deriveKey(settings().secret, 'latchkey/rate-limit'))
  return createHmac('sha256', key).update(subject).digest('base64url').slice(0, 22)
}

const tooManyAttempts = (retryAt: number) => {
  const retryAfter = Math.max(1, Math.ceil((retryAt - Date.now()) / 1000))
  return new ApiError('too_many_attempts', { retryAfter })
}

/** Call it before the attempt is made, so that concurrent ones all count. */
export async function consumeAttempt(policy: Policy, subject: string): Promise<Pick<Attempt, 'refund' | 'reset'>> {
  const attempt = await limiterFor(policy).consume(subjectDigest(subject))
  if (attempt.success) return attempt
  recorder()?.count('latchkey.throttled', { policy: policies[policy].reportedAs })
  throw tooManyAttempts(await attempt.retryAt())
}

interface Refundable {
  refund(): Promise<unknown>
}

/** Counts the IPv6 /48 first, so that one past its limit writes no rows for ever new addresses. */
export async function consumeAddressAttempt(policy: AddressPolicy, address: string): Promise<Refundable> {
  const network = surroundingNetwork(address)
  const surrounding = network === null ? null : await consumeAttempt(`${policy}-48`, network)
  const attempt = await refundOnError(surrounding, () => consumeAttempt(policy, address))
  return { refund: () => Promise.all([surrounding?.refund(), attempt.refund()]) }
}

export function refundOnError<T>(counted: Refundable | null, action: () => Promise<T>): Promise<T> {
  return action().catch(async (error: unknown) => {
    await counted?.refund()
    throw error
  })
}

/**
 * Counts before the verification, so that concurrent failures all count, and refunds unless the credential was wrong.
 * Many people may share an address, so successes never count.
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

/** Counts before `write`, and refunds if it fails. */
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
