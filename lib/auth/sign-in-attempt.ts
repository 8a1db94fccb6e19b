import { isApiError } from '@/lib/api/errors'
import { type SignInUser, usernameKey } from './accounts'
import { readDevice } from './devices'
import { recordFailure } from './events'
import { endStreaks, extendStreak, longestStreak, streakOfDevice, streakOfUsername } from './failure-streak'
import { setSubject } from './log-rejection'
import type { RequestContext } from './request-context'
import { consumeAddressAttempt, consumeAttempt, refundOnError } from './throttling-policies'

/** What was counted before a password is verified, and what becomes of it. */
interface CountedAttempt {
  succeed(): Promise<unknown>
  fail(): Promise<unknown>
  /** The password was not verified. */
  refund(): Promise<unknown>
  /** Nor will anybody read the answer: the address pays for that, or abandoned requests would be free. */
  abandon(): Promise<unknown>
}

/**
 * Counts an attempt before its password is verified, so that concurrent attempts all count. A browser that has signed in to
 * the account before has its own bucket: attackers can slow down an account, but not lock its owner out (OWASP, "Slow Down
 * Online Guessing Attacks with Device Cookies").
 *
 * @returns what to call when the verification succeeded, failed or did not take place
 * @throws ApiError too_many_attempts
 */
export async function consumePasswordAttempt(
  username: string,
  user: SignInUser | null,
  context: RequestContext,
): Promise<CountedAttempt> {
  setSubject(context, { account: user?.id ?? null, username, method: 'pwd' })
  const subject = await findKnownBrowser(user, context)
  const counted =
    (subject === null ? null : await fromKnownBrowser(subject, username, user, context)) ??
    (await fromUnknownBrowser(subject, username, user, context))
  // Also for unknown accounts: timing must not reveal which exist.
  const signIn = await refundOnError(counted, () => consumeAttempt('sign-ins', user?.id ?? usernameKey(username)))
  return {
    succeed: counted.succeed,
    async fail() {
      if (user) recordFailure(user.id, 'signin_failed', context, 'pwd')
      await Promise.all([counted.fail(), signIn.refund()])
    },
    refund: () => Promise.all([counted.refund(), signIn.refund()]),
    abandon: () => Promise.all([counted.abandon(), signIn.refund()]),
  }
}

/** Counts a sign-in with a passkey or code, which ends the streak of strangers' failures: only the owner has those. */
export async function countSignIn<T>(user: { id: string; usernameKey: string }, open: () => Promise<T>): Promise<T> {
  const attempt = await consumeAttempt('sign-ins', user.id)
  const opened = await open().catch(async (error: unknown) => {
    // What is right counts although it opens nothing: else a disabled account could be asked without end.
    if (!isApiError(error) || error.code !== 'account_disabled') await attempt.refund()
    throw error
  })
  await endStreaks(streakOfUsername(user.usernameKey))
  return opened
}

/**
 * What the attempts of a known browser are counted by: its device token, or all tokens of earlier epochs of the account,
 * which whoever had the password before may hold many of.
 */
async function findKnownBrowser(user: SignInUser | null, context: RequestContext): Promise<string | null> {
  const claims = user && (await readDevice(user.id, context))
  if (!claims) return null
  return claims.epoch === user.sessionEpoch ? claims.jti : `earlier/${user.id}`
}

/** @returns null after a hundred failures in a row: the browser then counts as unknown */
async function fromKnownBrowser(
  subject: string,
  username: string,
  user: SignInUser | null,
  context: RequestContext,
): Promise<CountedAttempt | null> {
  const attempt = await reportLockOut(user, context, consumeAttempt('password-device', subject))
  const streak = await refundOnError(attempt, () => extendStreak(streakOfDevice(subject)))
  const refund = () => Promise.all([attempt.refund(), streak.refund()])
  if (streak.count > longestStreak) {
    await refund()
    return null
  }
  const succeed = () => Promise.all([attempt.reset(), endStreaks(streakOfDevice(subject), streakOfUsername(username))])
  return { succeed, fail: streak.fail, refund, abandon: refund }
}

/**
 * The address comes first, so that one past its limit writes no rows under new usernames.
 *
 * @param wornOut the subject of a browser that was known until it failed a hundred times
 */
async function fromUnknownBrowser(
  wornOut: string | null,
  username: string,
  user: SignInUser | null,
  context: RequestContext,
): Promise<CountedAttempt> {
  const address = await consumeAddressAttempt('address', context.address)
  const counted = await refundOnError(address, () => reportLockOut(user, context, countForUsername(username)))
  return {
    succeed: () => Promise.all([address.refund(), counted.succeed(), wornOut && endStreaks(streakOfDevice(wornOut))]),
    fail: counted.fail,
    refund: () => Promise.all([address.refund(), counted.refund()]),
    abandon: counted.refund,
  }
}

/** A success does not end the streak: an owner who often uses new browsers would give a patient attacker new attempts. */
async function countForUsername(username: string) {
  const attempt = await consumeAttempt('password', usernameKey(username))
  const streak = await refundOnError(attempt, () => extendStreak(streakOfUsername(username)))
  const refundBoth = () => Promise.all([attempt.refund(), streak.refund()])
  if (streak.count <= longestStreak) {
    const succeed = () => Promise.all([attempt.reset(), streak.refund()])
    return { succeed, fail: streak.fail, refund: refundBoth }
  }
  const daily = await refundOnError({ refund: refundBoth }, () => consumeAttempt('password-day', usernameKey(username)))
  const refund = () => Promise.all([daily.refund(), refundBoth()])
  return { succeed: refund, fail: streak.fail, refund }
}

/** Not when the address is over its limit, which says nothing about this account. */
function reportLockOut<T>(user: SignInUser | null, context: RequestContext, counted: Promise<T>): Promise<T> {
  return counted.catch((error: unknown) => {
    if (user && isApiError(error) && error.code === 'too_many_attempts') {
      recordFailure(user.id, 'locked_out', context, 'pwd')
    }
    throw error
  })
}
