import { ApiError } from '@/lib/api/errors'
import { type Database, database } from '@/lib/database/client'
import { isConsumed, soleConsumption } from '@/lib/database/consumed-tokens'
import { isConflict, isGone } from '@/lib/database/errors'
import { type Statement, transaction } from '@/lib/database/transaction'
import { settings } from '@/lib/settings/settings'
import { logIfForged } from '../audit/log-rejection'
import { joinIfThere } from '../model/groups'
import { firstClaim } from '../model/identifiers'
import type { RequestContext } from '../model/request-context'
import type { Claims } from '../tokens/claims'
import { issueToken, nowInSeconds, readToken } from '../tokens/tokens'
import { announce, deliverWebhooks, emailNow, groupsNow, oneAccount } from '../webhooks/announce'

export type Invitation = Pick<Claims<'invitation'>, 'jti' | 'exp' | 'groups'>

/** Invitations cannot be revoked, so a leaked old one must have expired. */
export const longestInvitationSeconds = 90 * 86_400

/** Each token is good for one account, which joins `groups`. @param seconds at most `longestInvitationSeconds` */
export function createInvitations(
  count: number,
  seconds: number,
  groups: string[],
): Promise<{ token: string; exp: number }[]> {
  const payload = groups.length > 0 ? { groups: [...new Set(groups)] } : {}
  return Promise.all(Array.from({ length: count }, () => issueToken('invitation', payload, seconds)))
}

/**
 * Call it before anything that reveals whether a username exists or costs a hash. Our signature makes a rate limit needless.
 *
 * @returns the invitation to consume; null if SIGN_UP=open, which consumes none without groups
 */
export async function requireSignUp(token: string | undefined, context: RequestContext): Promise<Invitation | null> {
  const claims = token === undefined ? null : await readToken('invitation', token)
  if (token !== undefined && !claims) await logIfForged(token, context)
  const invitation = requireGoodInvitation(claims)
  if (invitation && (await isConsumed(invitation.jti))) throw new ApiError('sign_up_closed')
  return invitation
}

/** Checks again what may have changed since: SIGN_UP, and whether the invitation has expired. */
export function requireGoodInvitation(invitation: Invitation | null | undefined): Invitation | null {
  const { signUp } = settings()
  if (signUp === 'open' && !invitation?.groups) return null
  if (signUp === 'closed' || !invitation || invitation.exp <= nowInSeconds()) throw new ApiError('sign_up_closed')
  const { jti, exp, groups } = invitation
  return { jti, exp, ...(groups && { groups }) }
}

/** One transaction, so that a taken username leaves the invitation valid. */
export async function createAsInvited<T>(
  invitation: Invitation | null,
  { id, usernameKey }: { id: string; usernameKey: string },
  creation: (db: Database) => Statement<T>,
): Promise<T> {
  const db = await database()
  const good = requireGoodInvitation(invitation)
  // Insert and catch: the primary key admits one of several concurrent sign-ups. The invitation comes first, because with a
  // used one a taken username must not show.
  const create = () =>
    transaction(db, {
      invitation: good ? soleConsumption(db, good) : undefined,
      user: creation(db),
      claim: firstClaim(db, id, usernameKey),
      groups: (good?.groups ?? []).map((group) => joinIfThere(db, id, group)),
      announcement: announce(db, 'account.created', oneAccount(id), { email: emailNow, groups: groupsNow }),
    })
  const { user } = await create()
    // On PostgreSQL a group may be deleted after it is read.
    .catch((cause: unknown) => (isGone(cause) ? create() : Promise.reject(cause)))
    .catch((cause: unknown) => {
      throw isConflict(cause, 'ConsumedToken') ? new ApiError('sign_up_closed', { cause }) : cause
    })
  deliverWebhooks()
  return user
}
