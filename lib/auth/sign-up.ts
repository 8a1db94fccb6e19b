import { createUser, requireFreeUsername, usernameKey } from './accounts'
import { requireShortWait } from './hash-queue'
import { type OpenedSession, openSession } from './open-session'
import { hashPassword } from './password-hash'
import { requireUnguessable, signUpRules } from './password-rules'
import type { RequestContext } from './request-context'
import { claimUsername, consumeAddressAttempt } from './throttling-policies'
import { parse } from './validation'

/**
 * @param body `{username, password}`
 * @throws ApiError invalid_request, username_taken, too_many_attempts, unavailable
 */
export async function signUp(body: unknown, context: RequestContext): Promise<OpenedSession> {
  const input = parse(signUpRules, body)
  await requireUnguessable(input.password, input.username)
  // A share of its own: sign-ups under a name that exists must not take the place of its owner.
  const account = `sign-up/${usernameKey(input.username)}`
  requireShortWait(account, context)
  // Not refunded on success: this also limits how many accounts an address can create.
  const attempt = await consumeAddressAttempt('address', context.address)
  return claimUsername(attempt, async () => {
    // A name that somebody took meanwhile is not worth a hash; on insert, the unique key decides.
    const afterWaiting = () => requireFreeUsername(input.username)
    const hash = await hashPassword(input.password, { account, context, afterWaiting })
    const user = await createUser(input.username, hash)
    return openSession(user, { method: 'pwd', isNew: true }, context)
  })
}
