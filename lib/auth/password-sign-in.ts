import { ApiError } from '@/lib/api/errors'
import { signInInput } from '@/lib/api/schemas'
import { database } from '@/lib/database/client'
import { findUserForSignIn, type SignInUser } from './accounts'
import { recordEvent } from './events'
import { hashPassword, needsRehash, verifyPassword } from './password-hash'
import type { RequestContext } from './request-context'
import { type OpenedSession, openSession } from './sessions'
import { consumeSignInAttempt } from './sign-in-attempt'
import { parse } from './validation'

/**
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

/** Counts as an attempt to sign in. @throws ApiError authentication_failed, too_many_attempts, unavailable */
export async function verifyUserPassword(
  username: string,
  password: string,
  context: RequestContext,
): Promise<SignInUser> {
  const user = await findUserForSignIn(username)
  const attempt = await consumeSignInAttempt(username, user, context, 'pwd')
  const hash = user?.passwordHash ?? null
  const matches = await verifyPassword(password, hash).catch(async (error: unknown) => {
    await attempt.refund()
    throw error
  })
  if (!user || !hash || !matches) {
    attempt.fail()
    throw new ApiError('authentication_failed')
  }
  await attempt.succeed()
  if (needsRehash(hash)) await rehash(user.id, hash, password)
  return user
}

/** Conditional on the old hash, so that it never undoes a concurrent password change. */
async function rehash(id: string, passwordHash: string, password: string) {
  const replacement = await hashPassword(password)
  const db = await database()
  await db.user.updateMany({ where: { id, passwordHash }, data: { passwordHash: replacement } })
}
