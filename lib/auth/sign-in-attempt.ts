import { isApiError } from '@/lib/api/errors'
import { type findLogin, usernameKey } from './accounts'
import { recordFailure } from './events'
import type { Client } from './request-context'
import { type Quota, take } from './throttling-policies'
import { type Method, readToken } from './tokens'

export type Login = NonNullable<Awaited<ReturnType<typeof findLogin>>>

/**
 * Counts a guess at a password or a recovery code before it is tried, so that guesses made at once are all counted.
 *
 * A browser that has signed in to this very account has a bucket of its own, so strangers who guess can slow an account
 * down but never lock its owner out (OWASP, "Slow Down Online Guessing Attacks with Device Cookies").
 *
 * @throws ApiError too_many_attempts
 */
export async function countGuess(username: string, user: Login | null, client: Client, method: Method) {
  const { attempt, ofAddress } = await takeBoth(username, user, client, method)
  return {
    /** It was right: what was counted against the account is forgotten. */
    succeeded: () => Promise.all([attempt.clear(), ofAddress?.giveBack()]),
    /** It was not tried after all. */
    takeBack: () => Promise.all([attempt.giveBack(), ofAddress?.giveBack()]),
    /** It was wrong. */
    failed: () => user && recordFailure(user.id, 'signin_failed', client, method),
  }
}

async function takeBoth(username: string, user: Login | null, client: Client, method: Method) {
  const device = client.device === null ? null : await readToken('device', client.device)
  const known = device !== null && user !== null && device.sub === user.id && device.epoch === user.sessionEpoch
  const [quota, whom]: [Quota, string] = known ? ['device', device.jti] : ['login', usernameKey(username)]
  const attempt = await take(quota, whom).catch((error: unknown) => {
    // Of the address's quota its owner is told nothing: that one spares whoever is tried.
    if (user && isApiError(error) && error.code === 'too_many_attempts')
      recordFailure(user.id, 'locked_out', client, method)
    throw error
  })
  if (known) return { attempt, ofAddress: null }
  const ofAddress = await take('address', client.address).catch(async (error: unknown) => {
    await attempt.giveBack()
    throw error
  })
  return { attempt, ofAddress }
}
