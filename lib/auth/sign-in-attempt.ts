import { isApiError } from '@/lib/api/errors'
import type { Method } from '@/lib/api/schemas'
import { type SignInUser, usernameKey } from './accounts'
import { recordFailure } from './events'
import { setSubject } from './log-refusal'
import type { RequestContext } from './request-context'
import { consumeAttempt } from './throttling-policies'
import { readToken } from './tokens'

/**
 * Counts an attempt before its password or recovery code is verified, so that concurrent attempts all count.
 * A browser that has signed in to the account before has its own bucket: attackers can slow down an account, but not
 * lock its owner out (OWASP, "Slow Down Online Guessing Attacks with Device Cookies").
 *
 * @returns what to call when the verification succeeded, failed or did not take place
 * @throws ApiError too_many_attempts
 */
export async function consumeSignInAttempt(
  username: string,
  user: SignInUser | null,
  context: RequestContext,
  method: Method,
) {
  setSubject(context, { account: user?.id ?? null, username, method })
  const { attempt, addressAttempt } = await consumeAttempts(username, user, context, method)
  return {
    succeed: () => Promise.all([attempt.reset(), addressAttempt?.refund()]),
    refund: () => Promise.all([attempt.refund(), addressAttempt?.refund()]),
    fail: () => user && recordFailure(user.id, 'signin_failed', context, method),
  }
}

async function consumeAttempts(username: string, user: SignInUser | null, context: RequestContext, method: Method) {
  const device = await findKnownDevice(user, context)
  const consumed = device
    ? consumeAttempt('password-device', device.jti)
    : consumeAttempt('password', usernameKey(username))
  const attempt = await consumed.catch((error: unknown) => {
    // Not when the address is over its limit, which says nothing about this account.
    if (user && isApiError(error) && error.code === 'too_many_attempts') {
      recordFailure(user.id, 'locked_out', context, method)
    }
    throw error
  })
  if (device) return { attempt, addressAttempt: null }
  const addressAttempt = await consumeAttempt('address', context.address).catch(async (error: unknown) => {
    await attempt.refund()
    throw error
  })
  return { attempt, addressAttempt }
}

async function findKnownDevice(user: SignInUser | null, { device }: RequestContext) {
  const claims = device === null ? null : await readToken('device', device)
  return claims && user && claims.sub === user.id && claims.epoch === user.sessionEpoch ? claims : null
}
