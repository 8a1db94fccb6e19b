import { ApiError } from '@/lib/api/errors'
import { signInInput } from '@/lib/api/schemas'
import { database } from '@/lib/database/client'
import { findUserForSignIn, type SignInUser } from './accounts'
import { type OpenedSession, openSession } from './open-session'
import { hashPassword, needsRehash, verifyPassword } from './password-hash'
import type { RequestContext } from './request-context'
import { consumeSignInAttempt } from './sign-in-attempt'
import { parse } from './validation'

/**
 * @param body `{username, password}`
 * @throws ApiError invalid_request, authentication_failed, too_many_attempts, unavailable
 */
export async function signInWithPassword(body: unknown, context: RequestContext): Promise<OpenedSession> {
  const input = parse(signInInput, body)
  const { passwordHash, ...user } = await verifyUserPassword(input.username, input.password, context)
  return openSession(user, { method: 'pwd', passwordHash }, context)
}

/** Counts as an attempt to sign in. @returns the account with the hash that is stored now @throws ApiError authentication_failed, too_many_attempts, unavailable */
export async function verifyUserPassword(
  username: string,
  password: string,
  context: RequestContext,
): Promise<SignInUser & { passwordHash: string }> {
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
  return { ...user, passwordHash: needsRehash(hash) ? await rehash(user.id, hash, password) : hash }
}

/** Conditional on the old hash, so that it never undoes a concurrent password change. */
async function rehash(id: string, passwordHash: string, password: string): Promise<string> {
  const replacement = await hashPassword(password)
  const db = await database()
  const { count } = await db.user.updateMany({ where: { id, passwordHash }, data: { passwordHash: replacement } })
  if (count === 1) return replacement
  // A concurrent sign-in may have rehashed the same password.
  const { passwordHash: current } = await db.user.findUniqueOrThrow({ where: { id }, select: { passwordHash: true } })
  if (current !== null && (await verifyPassword(password, current))) return current
  throw new ApiError('authentication_failed')
}
