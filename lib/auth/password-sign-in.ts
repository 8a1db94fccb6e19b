import { ApiError } from '@/lib/api/errors'
import { signInInput } from '@/lib/api/schemas'
import { database } from '@/lib/database/client'
import { findUserForSignIn } from './accounts'
import { recordEvent } from './events'
import { hashPassword, isWeak, verifyPassword } from './password-hash'
import type { RequestContext } from './request-context'
import { type OpenedSession, openSession } from './sessions'
import { consumeSignInAttempt, type SignInUser } from './sign-in-attempt'
import { parse } from './validation'

/**
 * Opens a session for a username and password.
 *
 * @param body `{username, password}`
 * @throws ApiError invalid_request, authentication_failed, too_many_attempts, unavailable
 */
export async function signInWithPassword(body: unknown, context: RequestContext): Promise<OpenedSession> {
  const input = parse(signInInput, body)
  const user = await verifyUserPassword(input.username, input.password, context)
  const opened = await openSession(user, 'pwd', context)
  await recordEvent(user.id, 'signed_in', context, 'pwd')
  return opened
}

/**
 * The user whose password this is. Every call counts as an attempt to sign in.
 *
 * @throws ApiError authentication_failed, too_many_attempts, unavailable
 */
export async function verifyUserPassword(
  username: string,
  password: string,
  context: RequestContext,
): Promise<SignInUser> {
  const user = await findUserForSignIn(username)
  const attempt = await consumeSignInAttempt(username, user, context, 'pwd')
  const hash = user?.passwordHash ?? null
  const good = await verifyPassword(password, hash).catch(async (error: unknown) => {
    await attempt.refund()
    throw error
  })
  if (!user || !hash || !good) {
    attempt.fail()
    throw new ApiError('authentication_failed')
  }
  await attempt.succeed()
  if (isWeak(hash)) await strengthen(user.id, hash, password)
  return user
}

/** Raises a hash to the configured cost, unless the password was changed meanwhile. */
async function strengthen(id: string, passwordHash: string, password: string) {
  const stronger = await hashPassword(password)
  const db = await database()
  await db.user.updateMany({ where: { id, passwordHash }, data: { passwordHash: stronger } })
}
