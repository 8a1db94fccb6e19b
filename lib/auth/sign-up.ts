import { signUpInput } from '@/lib/api/schemas'
import { createUser } from './accounts'
import { recordEvent } from './events'
import { hashPassword } from './password-hash'
import type { RequestContext } from './request-context'
import { type OpenedSession, openSession } from './sessions'
import { claimName, consumeAttempt } from './throttling-policies'
import { parse } from './validation'

/**
 * Makes an account with a password and opens a session for it.
 *
 * @param body `{username, password}`
 * @throws ApiError invalid_request, username_taken, too_many_attempts, unavailable
 */
export async function signUp(body: unknown, context: RequestContext): Promise<OpenedSession> {
  const input = parse(signUpInput, body)
  // An account made and a taken name told both count: neither makes accounts nor lists names without end.
  const attempt = await consumeAttempt('address', context.address)
  return claimName(attempt, async () => {
    const hash = await hashPassword(input.password)
    const user = await createUser(input.username, hash)
    const opened = await openSession(user, 'pwd', context)
    await recordEvent(user.id, 'account_created', context, 'pwd')
    return opened
  })
}
