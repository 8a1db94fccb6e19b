import { ApiError, isApiError } from '@/lib/api/errors'
import type { signInInput } from '@/lib/api/schemas'
import { database } from '@/lib/database/client'
import { findUserForSignIn, type SignInUser, usernameKey } from '../account'
import { countSignInOutcome } from '../events/rejections'
import { isWrongCredential, type Parsed, type RequestContext } from '../request'
import { continuedSession } from '../sessions/find'
import { type OpenedSession, openSession } from '../sessions/issue'
import { consumePasswordAttempt, knownBrowser } from '../sessions/sign-in-attempt'
import { type Claims, rootOf } from '../tokens/claims'
import { readAnyDevice, readToken } from '../tokens/tokens'
import { type Requester, requireShortWait } from './hash-queue'
import { hashPassword, needsRehash, verifyPassword } from './password-hash'

export async function signInWithPassword({
  body: { username, password },
  context,
}: Parsed<typeof signInInput>): Promise<OpenedSession> {
  return countSignInOutcome('pwd', context, async () => {
    const user = await verifyUserPassword(username, password, context)
    return needsRehash(user.passwordHash)
      ? openRehashed(user, password, context)
      : open(user, user.passwordHash, context)
  })
}

type MatchedUser = SignInUser & { passwordHash: string }

const open = (user: SignInUser, passwordHash: string, context: RequestContext) =>
  openSession(user, { method: 'pwd', passwordHash }, context)

/** Replaces an imported or cheaper hash, whose password only this moment knows, and signs in with the new one. */
async function openRehashed(user: MatchedUser, password: string, context: RequestContext): Promise<OpenedSession> {
  let passwordHash: string
  try {
    passwordHash = await rehash(user, password, context)
  } catch (error) {
    if (!isApiError(error) || error.code !== 'unavailable') throw error
    return openWithOldHash(user, error, context)
  }
  return open(user, passwordHash, context)
}

/** Signs in with the old hash if there is no turn for a new one, which the next sign-in makes. */
const openWithOldHash = (user: MatchedUser, busy: ApiError, context: RequestContext): Promise<OpenedSession> =>
  open(user, user.passwordHash, context).catch((error: unknown) => {
    // Answers `unavailable`, not `wrong`: a concurrent sign-in may have rehashed the same password, which is right.
    throw isWrongCredential(error) ? busy : error
  })

/**
 * Replaces a hash only if it is still there, so that it never undoes a concurrent password change.
 *
 * @returns the hash stored now
 */
async function rehash(
  { id, usernameKey: account, passwordHash }: MatchedUser,
  password: string,
  context: RequestContext,
) {
  const requester = { account, context, isKnown: true }
  const replacement = await hashPassword(password, requester)
  const db = await database()
  const { count } = await db.user.updateMany({ where: { id, passwordHash }, data: { passwordHash: replacement } })
  if (count === 1) return replacement
  // A concurrent sign-in may have rehashed the same password.
  const stored = await db.user.findUnique({ where: { id }, select: { passwordHash: true } })
  const current = stored?.passwordHash ?? null
  if (current !== null && (await verifyPassword(password, current, requester))) return current
  throw new ApiError('authentication_failed')
}

/**
 * Verifies the password of a username. Counts as an attempt to sign in.
 *
 * @returns the account with the hash that matched
 */
export async function verifyUserPassword(
  username: string,
  password: string,
  context: RequestContext,
): Promise<MatchedUser> {
  // Reads what the request shows before the account, so that its time does not depend on whether there is one.
  const device = await readAnyDevice(context)
  const session = context.session === null ? null : await readToken('session', context.session)
  const sender = await findSender(username, { device, session }, context)
  const { isKnown, settle } = await consumePasswordAttempt(username, sender, context)
  const requester = { account: usernameKey(username), context, isKnown }
  const { user, matches } = await compare(sender.user, username, password, requester).catch(async (error: unknown) => {
    await settle(context.signal?.aborted ? 'abandoned' : 'unverified')
    throw error
  })
  const passwordHash = user?.passwordHash ?? null
  if (!user || !passwordHash || !matches) {
    await settle('failure')
    throw new ApiError('authentication_failed')
  }
  await settle('success')
  return { ...user, passwordHash }
}

interface ShownTokens {
  device: Claims<'device'> | null
  session: Claims<'session'> | null
}

/**
 * Finds the account, and whether it knows the browser, unless the queue is full: strangers are then rejected before any statement;
 * for anybody else, one must tell whose browser it is.
 *
 * @throws ApiError unavailable
 */
async function findSender(username: string, { device, session }: ShownTokens, context: RequestContext) {
  const requester = { account: usernameKey(username), context }
  const isStranger = device === null && session === null
  if (isStranger) await requireShortWait(requester)
  const user = await findUserForSignIn(username)
  const continued = user && (await continuedSession(user, session))
  const root = continued && rootOf(continued)
  const browser = knownBrowser(user, device, root)
  if (!isStranger) await requireShortWait({ ...requester, isKnown: browser !== null })
  return { user, browser, root }
}

/** Compares with the hash as it is when the turn to hash comes: until then the password, or the username's owner, may change. */
async function compare(found: SignInUser | null, username: string, password: string, requester: Requester) {
  let user = found
  const afterWaiting = async () => {
    const current = await findUserForSignIn(username)
    // The attempt counts for the account that had this username before, so a new owner's does not match.
    user = current?.id === found?.id ? current : null
    return user?.passwordHash ?? null
  }
  const matches = await verifyPassword(password, found?.passwordHash ?? null, { ...requester, afterWaiting })
  return { user, matches }
}
