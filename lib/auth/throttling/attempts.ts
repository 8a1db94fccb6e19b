import { ApiError, type ErrorCode, isApiError } from '@/lib/api/errors'
import { bestEffort } from '@/lib/process/after-response'
import { recorder } from '@/lib/process/recorder'
import { rateLimiter } from '@/lib/rate-limit/limiter'
import { connectRedis } from '@/lib/rate-limit/redis-store'
import type { Attempt } from '@/lib/rate-limit/store'
import { keyedDigest } from '@/lib/settings/keys'
import { settings } from '@/lib/settings/settings'
import { isWrongCredential, surroundingNetwork } from '../request'
import { type Claims, rootOf } from '../tokens/claims'
import { type Policy, type PolicyRow, policies } from './throttling-policies'

/** Decides and counts in one step, so that concurrent attempts all count. Call it before you verify a password. */
export async function consumeAttempt(policy: Policy, subject: string): Promise<Pick<Attempt, 'refund' | 'reset'>> {
  const attempt = await limiterFor(policy).consume(subjectDigest(subject))
  if (attempt.success)
    return { refund: () => bestEffortWrite(attempt.refund), reset: () => bestEffortWrite(attempt.reset) }
  recorder()?.count('latchkey.throttled', { policy: policies[policy].reportedAs })
  throw tooManyAttempts(await attempt.retryAt())
}

/** The same as an answer, where a limit must not show. Counts nothing if it is false. */
export async function isWithinLimit(policy: Policy, subject: string): Promise<boolean> {
  // A command has not connected at its start, since few need to.
  await connectRedis()
  const { success } = await limiterFor(policy).consume(subjectDigest(subject))
  return success
}

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

interface Refundable {
  refund(): Promise<unknown>
}

type AddressPolicy = 'address' | 'passkey' | 'recovery' | 'app'

/**
 * Counts the IPv6 /48 first: one past its limit writes no rows for new addresses.
 *
 * @param subjectOf the text to count for each
 */
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

/** True if the limit would reject the address's next attempt. Counts nothing. */
export async function isPastLimit(policy: AddressPolicy, address: string): Promise<boolean> {
  const network = surroundingNetwork(address)
  const waits = await Promise.all([
    network !== null && limiterFor(`${policy}-48`).retryAt(subjectDigest(network)),
    limiterFor(policy).retryAt(subjectDigest(address)),
  ])
  return waits.some((retryAt) => retryAt !== false && retryAt > Date.now())
}

/** @param kept the codes of errors after which the attempt stays counted */
export function refundOnError<T>(
  counted: Refundable | null,
  action: () => Promise<T>,
  ...kept: ErrorCode[]
): Promise<T> {
  return action().catch(async (error: unknown) => {
    if (!isApiError(error) || !kept.includes(error.code)) await counted?.refund()
    throw error
  })
}

/** Refunds an attempt to create an account, unless the username is taken: the limit keeps people from trying out usernames. */
export const refundUnlessTaken = <T>(counted: Refundable, claim: () => Promise<T>): Promise<T> =>
  refundOnError(counted, claim, 'username_taken')

/**
 * Counts failures afterwards: past the limit a failure gets `too_many_attempts`, a right credential never. Do not use it for
 * passwords, whose attempts count before we verify them.
 *
 * @param onFailure writes about a failure within the limit; past it, a stranger's requests would write without end
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

type Writes = 'account-writes' | 'session-writes'

/**
 * Counts a write for the session, and for its account. Counts by root, so that a thief's session uses up nothing of the
 * owner's.
 *
 * @param policy `account-writes` for writes that need a step-up, `session-writes` for writes that need a session alone
 */
export async function consumeWrite(policy: Writes, claims: Claims<'session'>): Promise<Refundable> {
  const ofSession = await consumeAttempt(policy, rootOf(claims))
  const ofAccount = await refundOnError(ofSession, () =>
    consumeAttempt(`${policy}-all`, `${claims.sub}/${claims.epoch}`),
  )
  return { refund: () => Promise.all([ofSession.refund(), ofAccount.refund()]) }
}

/** Limits a write that somebody could repeat without end. */
export async function limitWrites<T>(
  policy: Writes,
  { claims }: { claims: Claims<'session'> },
  write: () => Promise<T>,
): Promise<T> {
  return refundOnError(await consumeWrite(policy, claims), write)
}

/**
 * Limits changes of the password by the session's root alone, apart from the account's other writes: a thief with many sessions
 * must not keep the owner from the change that ends them.
 */
export async function limitPasswordChanges<T>(
  { claims }: { claims: Claims<'session'> },
  change: () => Promise<T>,
): Promise<T> {
  // Counts a password that we refuse: it takes milliseconds to tell that one is common.
  return refundOnError(await consumeAttempt('account-writes', rootOf(claims)), change, 'invalid_request')
}

/**
 * Writes after the outcome, such as a refund. Never throws, since that would lose a committed success, or a rejection's reason.
 * An attempt without its refund only makes the limit stricter.
 */
export const bestEffortWrite = (write: () => Promise<unknown>) => bestEffort(write, 'could not settle an attempt')
