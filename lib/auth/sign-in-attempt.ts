import { isApiError } from '@/lib/api/errors'
import type { Method } from '@/lib/api/schemas'
import { type findUserForSignIn, usernameKey } from './accounts'
import { recordFailure } from './events'
import type { RequestContext } from './request-context'
import { consumeAttempt, type Policy } from './throttling-policies'
import { readToken } from './tokens'

export type SignInUser = NonNullable<Awaited<ReturnType<typeof findUserForSignIn>>>

/**
 * Counts a guess at a password or a recovery code before it is tried, so that guesses made at once are all counted.
 *
 * A browser that has signed in to this very account has a bucket of its own, so strangers who guess can slow an account
 * down but never lock its owner out (OWASP, "Slow Down Online Guessing Attacks with Device Cookies").
 *
 * @throws ApiError too_many_attempts
 */
export async function consumeSignInAttempt(
  username: string,
  user: SignInUser | null,
  context: RequestContext,
  method: Method,
) {
  const { attempt, ofAddress } = await consumeBoth(username, user, context, method)
  return {
    /** It was right: what was counted against the account is forgotten. */
    succeed: () => Promise.all([attempt.reset(), ofAddress?.refund()]),
    /** It was not tried after all. */
    refund: () => Promise.all([attempt.refund(), ofAddress?.refund()]),
    /** It was wrong. */
    fail: () => user && recordFailure(user.id, 'signin_failed', context, method),
  }
}

async function consumeBoth(username: string, user: SignInUser | null, context: RequestContext, method: Method) {
  const device = context.device === null ? null : await readToken('device', context.device)
  const known = device !== null && user !== null && device.sub === user.id && device.epoch === user.sessionEpoch
  const [policy, whom]: [Policy, string] = known ? ['device', device.jti] : ['login', usernameKey(username)]
  const attempt = await consumeAttempt(policy, whom).catch((error: unknown) => {
    // Of the address's quota its owner is told nothing: that one spares whoever is tried.
    if (user && isApiError(error) && error.code === 'too_many_attempts')
      recordFailure(user.id, 'locked_out', context, method)
    throw error
  })
  if (known) return { attempt, ofAddress: null }
  const ofAddress = await consumeAttempt('address', context.address).catch(async (error: unknown) => {
    await attempt.refund()
    throw error
  })
  return { attempt, ofAddress }
}
