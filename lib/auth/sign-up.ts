import { createUser } from './accounts'
import { type OpenedSession, openSession } from './open-session'
import { hashPassword } from './password-hash'
import { requireUnguessable, signUpRules } from './password-rules'
import type { RequestContext } from './request-context'
import { claimUsername, consumeAttempt } from './throttling-policies'
import { parse } from './validation'

/**
 * @param body `{username, password}`
 * @throws ApiError invalid_request, username_taken, too_many_attempts, unavailable
 */
export async function signUp(body: unknown, context: RequestContext): Promise<OpenedSession> {
  const input = parse(signUpRules, body)
  await requireUnguessable(input.password, input.username)
  // Not refunded on success: this also limits how many accounts an address can create.
  const attempt = await consumeAttempt('address', context.address)
  return claimUsername(attempt, async () => {
    const hash = await hashPassword(input.password)
    const user = await createUser(input.username, hash)
    return openSession(user, { method: 'pwd', isNew: true }, context)
  })
}
