import { ApiError, isApiError } from '@/lib/api/errors'
import { signInInput } from '@/lib/api/schemas'
import { database } from '@/lib/database/client'
import { afterResponse } from '@/lib/process/after-response'
import { findUserForSignIn, type SignInUser, usernameKey } from './accounts'
import { recordEvent } from './events'
import { hashPassword, needsRehash, verifyPassword } from './password-hash'
import type { RequestContext } from './request-context'
import { type OpenedSession, openSession } from './sessions'
import { consumePasswordAttempt } from './sign-in-attempt'
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
  const found = await findUserForSignIn(username)
  const attempt = await consumePasswordAttempt(username, found, context)
  const { user, matches } = await compare(found, username, password, context).catch(async (error: unknown) => {
    await (context.signal?.aborted ? attempt.abandon() : attempt.refund())
    throw error
  })
  if (!user || !matches) {
    await attempt.fail()
    throw new ApiError('authentication_failed')
  }
  await attempt.succeed()
  afterResponse(() => rehash(user, password, context))
  return user
}

/** Compares with the hash as it is when the turn comes: the password may have changed, or its account, during a wait. */
async function compare(found: SignInUser | null, username: string, password: string, context: RequestContext) {
  let user = found
  const afterWaiting = async () => {
    const current = await findUserForSignIn(username)
    // The attempt was counted for the account that had this username before.
    user = current?.id === found?.id ? current : null
    return user?.passwordHash ?? null
  }
  const request = { account: usernameKey(username), context, afterWaiting }
  const matches = await verifyPassword(password, found?.passwordHash ?? null, request)
  return { user, matches }
}

/** Conditional on the old hash, so that it never undoes a concurrent password change. */
async function rehash(
  { id, passwordHash, usernameKey: account }: SignInUser,
  password: string,
  context: RequestContext,
) {
  if (passwordHash === null || !needsRehash(passwordHash)) return
  const replacement = await hashPassword(password, { account, context }).catch((error: unknown) => {
    // The next sign-in tries again.
    if (isApiError(error)) return null
    throw error
  })
  if (replacement === null) return
  const db = await database()
  await db.user.updateMany({ where: { id, passwordHash }, data: { passwordHash: replacement } })
}
