import { ApiError, type ErrorCode, isApiError } from '@/lib/api/errors'
import { recorder } from '@/lib/process/recorder'
import { rateLimiter } from '@/lib/rate-limit/limiter'
import type { Attempt } from '@/lib/rate-limit/store'
import { keyedDigest } from '@/lib/settings/secret/keyed-digest'
import { settings } from '@/lib/settings/settings'
import { surroundingNetwork } from '../model/networks'
import { isWrongCredential } from '../model/wrong-credential'
import { bestEffortWrite } from './best-effort-write'
import { type Policy, type PolicyRow, policies } from './throttling-policies'

type AddressPolicy = 'address' | 'passkey' | 'recovery' | 'app'

function limiterFor(policy: Policy) {
  const { rateLimit } = settings()
  const { max, windowMilliseconds = rateLimit.windowMilliseconds }: PolicyRow = policies[policy]
  return rateLimiter({ name: policy, max: max(rateLimit), windowMilliseconds })
}

export const subjectDigest = (subject: string) => keyedDigest('latchkey/rate-limit', subject)

const tooManyAttempts = (retryAt: number) => {
  const retryAfter = Math.max(1, Math.ceil((retryAt - Date.now()) / 1000))
  return new ApiError('too_many_attempts', { retryAfter })
}

/** In one step that decides and counts, so that concurrent attempts all count. Call it before a password is verified. */
export async function consumeAttempt(policy: Policy, subject: string): Promise<Pick<Attempt, 'refund' | 'reset'>> {
  const attempt = await limiterFor(policy).consume(subjectDigest(subject))
  if (attempt.success)
    return { refund: () => bestEffortWrite(attempt.refund), reset: () => bestEffortWrite(attempt.reset) }
  recorder()?.count('latchkey.throttled', { policy: policies[policy].reportedAs })
  throw tooManyAttempts(await attempt.retryAt())
}

interface Refundable {
  refund(): Promise<unknown>
}

/** The IPv6 /48 first: one past its limit writes no rows for new addresses. @param subjectOf what to count of either */
export async function consumeAddressAttempt(
  policy: AddressPolicy,
  address: string,
  subjectOf = (place: string) => place,
): Promise<Refundable> {
  const network = surroundingNetwork(address)
  const surrounding = network === null ? null : await consumeAttempt(`${policy}-48`, subjectOf(network))
  const attempt = await refundOnError(surrounding, () => consumeAttempt(policy, subjectOf(address)))
  return { refund: () => Promise.all([surrounding?.refund(), attempt.refund()]) }
}

/** Whether the address's next attempt would be rejected. Counts nothing. */
export async function isPastLimit(policy: AddressPolicy, address: string): Promise<boolean> {
  const network = surroundingNetwork(address)
  const waits = await Promise.all([
    network !== null && limiterFor(`${policy}-48`).retryAt(subjectDigest(network)),
    limiterFor(policy).retryAt(subjectDigest(address)),
  ])
  return waits.some((retryAt) => retryAt !== false && retryAt > Date.now())
}

/** @param kept the code of the error after which the attempt stays counted */
export function refundOnError<T>(counted: Refundable | null, action: () => Promise<T>, kept?: ErrorCode): Promise<T> {
  return action().catch(async (error: unknown) => {
    if (!isApiError(error) || error.code !== kept) await counted?.refund()
    throw error
  })
}

/** A taken username stays counted: the enumeration of usernames is limited. */
export const refundUnlessTaken = <T>(counted: Refundable, claim: () => Promise<T>): Promise<T> =>
  refundOnError(counted, claim, 'username_taken')

/**
 * Counts failures once they are known: past the limit they are answered `too_many_attempts`, and a right credential never is.
 * Not for passwords, whose attempts count before they are verified.
 *
 * @param onFailure what a failure within the limit writes: past it, a stranger's requests would write without end
 */
export async function limitFailures<T>(
  policy: 'passkey' | 'recovery',
  address: string,
  verify: () => Promise<T>,
  onFailure: (error: ApiError) => unknown,
): Promise<T> {
  return verify().catch(async (error: unknown) => {
    if (isApiError(error) && isWrongCredential(error)) {
      await consumeAddressAttempt(policy, address)
      await onFailure(error)
    }
    throw error
  })
}

/** For what takes a step-up and can be repeated without end. */
export async function limitAccountWrites<T>(userId: string, write: () => Promise<T>): Promise<T> {
  return refundOnError(await consumeAttempt('account-writes', userId), write)
}

/** For what takes a session alone and can be repeated without end. */
export async function limitSessionWrites<T>(userId: string, write: () => Promise<T>): Promise<T> {
  return refundOnError(await consumeAttempt('session-writes', userId), write)
}
