import { ApiError, isApiError } from '@/lib/api/errors'
import type { signInInput } from '@/lib/api/schemas'
import { database } from '@/lib/database/client'
import { countSignInOutcome } from '../audit/sign-in-metric'
import { findUserForSignIn, type SignInUser, usernameKey } from '../model/accounts'
import type { Parsed, RequestContext } from '../model/request-context'
import { type OpenedSession, openSession } from '../sessions/open-session'
import { consumePasswordAttempt } from '../throttling/sign-in-attempt'
import { requireShortWait } from './hash-queue'
import { hashPassword, needsRehash, verifyPassword } from './password-hash'

export async function signInWithPassword({
  body: { username, password },
  context,
}: Parsed<typeof signInInput>): Promise<OpenedSession> {
  return countSignInOutcome('pwd', context, async () => {
    const { passwordHash, ...user } = await verifyUserPassword(username, password, context)
    return openSession(user, { method: 'pwd', passwordHash }, context)
  })
}

/** Counts as an attempt to sign in. @returns the account with the hash that is stored now */
export async function verifyUserPassword(
  username: string,
  password: string,
  context: RequestContext,
): Promise<SignInUser & { passwordHash: string }> {
  await requireShortWait(usernameKey(username), context)
  const found = await findUserForSignIn(username)
  const settle = await consumePasswordAttempt(username, found, context)
  const { user, matches } = await compare(found, username, password, context).catch(async (error: unknown) => {
    await settle(context.signal?.aborted ? 'abandoned' : 'unverified')
    throw error
  })
  const hash = user?.passwordHash ?? null
  if (!user || !hash || !matches) {
    await settle('failure')
    throw new ApiError('authentication_failed')
  }
  await settle('success')
  return { ...user, passwordHash: needsRehash(hash) ? await rehash(user, hash, password, context) : hash }
}

/** With the hash as it is when the turn comes: the password, or whose username it is, may change until then. */
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

/** Conditional on the old hash, so that it never undoes a concurrent password change. @returns the hash stored now */
async function rehash(user: SignInUser, passwordHash: string, password: string, context: RequestContext) {
  const { id, usernameKey: account } = user
  const replacement = await hashPassword(password, { account, context }).catch((error: unknown) => {
    // The password was right; the next sign-in tries again.
    if (isApiError(error)) return null
    throw error
  })
  if (replacement === null) return passwordHash
  const db = await database()
  const { count } = await db.user.updateMany({ where: { id, passwordHash }, data: { passwordHash: replacement } })
  if (count === 1) return replacement
  // A concurrent sign-in may have rehashed the same password.
  const stored = await db.user.findUnique({ where: { id }, select: { passwordHash: true } })
  const current = stored?.passwordHash ?? null
  if (current !== null && (await verifyPassword(password, current, { account, context }))) return current
  throw new ApiError('authentication_failed')
}
