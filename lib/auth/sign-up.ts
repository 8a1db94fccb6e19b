import { z } from 'zod'
import { createUser } from './accounts'
import { recordEvent } from './events'
import { hashPassword } from './password-hash'
import type { Client } from './request-context'
import { type OpenedSession, openSession } from './sessions'
import { claimName, take } from './throttling-policies'
import { newPassword, parse, username } from './validation'

const signUpInput = z.object({ username, password: newPassword })

/**
 * Makes an account with a password and opens a session for it.
 *
 * @param body `{username, password}`
 * @throws ApiError invalid_request, username_taken, too_many_attempts, unavailable
 */
export async function signUp(body: unknown, client: Client): Promise<OpenedSession> {
  const input = parse(signUpInput, body)
  // An account made and a taken name told both count: neither makes accounts nor lists names without end.
  const attempt = await take('address', client.address)
  return claimName(attempt, async () => {
    const hash = await hashPassword(input.password)
    const user = await createUser(input.username, hash)
    const opened = await openSession(user, 'pwd', client)
    await recordEvent(user.id, 'account_created', client, 'pwd')
    return opened
  })
}
