import { ApiError } from '@/lib/api/errors'
import { database } from '@/lib/database/client'
import { isConsumed, soleConsumption } from '@/lib/database/consumed-tokens'
import { isConflict } from '@/lib/database/errors'
import type { Prisma } from '@/lib/database/generated/sqlite/client'
import { settings } from '@/lib/settings/settings'
import { logIfForged } from '../audit/log-rejection'
import type { Database } from '../model/accounts'
import type { RequestContext } from '../model/request-context'
import { type Claims, issueToken, nowInSeconds, readToken } from '../tokens/tokens'

/** What a new account consumes: the invitation's id, and its expiry in seconds since 1970. */
export type Invitation = Pick<Claims<'invitation'>, 'jti' | 'exp'>

/** A token cannot be taken back, so whoever finds an old one must not be able to use it. */
export const longestInvitationSeconds = 90 * 86_400

/** @param seconds lifetime, at most `longestInvitationSeconds`. @returns tokens, each good for one account */
export function createInvitations(count: number, seconds: number): Promise<{ token: string; exp: number }[]> {
  return Promise.all(Array.from({ length: count }, () => issueToken('invitation', {}, seconds)))
}

/**
 * Whether somebody may sign up. Call it before anything that tells whether a username exists, or costs a hash. It needs no
 * counter: without our signature an invitation gets no further than that.
 *
 * @returns the invitation to create the account with; null if SIGN_UP=open, which needs none and uses none up
 * @throws ApiError sign_up_closed
 */
export async function requireSignUp(token: string | undefined, context: RequestContext): Promise<Invitation | null> {
  const claims = token === undefined ? null : await readToken('invitation', token)
  if (token !== undefined && !claims) await logIfForged(token, context)
  const invitation = requireGoodInvitation(claims)
  if (invitation && (await isConsumed(invitation.jti))) throw new ApiError('sign_up_closed')
  return invitation
}

/**
 * The same for an invitation that was checked a while ago: SIGN_UP may be another by now, and it may have expired.
 *
 * @throws ApiError sign_up_closed
 */
export function requireGoodInvitation(invitation: Invitation | null | undefined): Invitation | null {
  const { signUp } = settings()
  if (signUp === 'open') return null
  if (signUp === 'closed' || !invitation || invitation.exp <= nowInSeconds()) throw new ApiError('sign_up_closed')
  return { jti: invitation.jti, exp: invitation.exp }
}

/**
 * Creates an account and consumes its invitation in one batch, so that a username that is taken leaves the invitation good.
 *
 * @param creation the statement that inserts the account
 * @throws ApiError sign_up_closed; what `creation` throws
 */
export async function createAsInvited<T>(
  invitation: Invitation | null,
  creation: (db: Database) => Prisma.PrismaPromise<T>,
): Promise<T> {
  const db = await database()
  const good = requireGoodInvitation(invitation)
  if (!good) return creation(db)
  // Insert and catch: the primary key admits one of several simultaneous sign-ups. First, because under a used invitation a
  // taken username must not show.
  const batch = db.$transaction([soleConsumption(db, good), creation(db)])
  const [, created] = await batch.catch((cause: unknown) => {
    throw isConflict(cause, 'ConsumedToken') ? new ApiError('sign_up_closed', { cause }) : cause
  })
  return created
}
