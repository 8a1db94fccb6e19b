import { hash } from 'node:crypto'
import { ApiError } from '@/lib/api/errors'
import { administrators } from '@/lib/api/names'
import { type Database, database, transaction } from '@/lib/database/client'
import { isMissing } from '@/lib/database/errors'
import { readRows, statement } from '@/lib/database/sql'
import { settings } from '@/lib/settings/settings'
import { groupCreation, isActiveAdministrator, joinIfThere, lockGroup, type UserWithEpoch } from '../account'
import { logIfForged } from '../events/rejections'
import { announceCreation, deliverWebhooks, isAccount } from '../events/webhooks'
import type { RequestContext } from '../request'
import { nowInSeconds } from '../time'
import type { Claims } from '../tokens/claims'
import { readToken } from '../tokens/tokens'
import { insertUsername } from './identifiers'

/* What every sign-up does, by password or by passkey: checks whether it is allowed, and inserts the account. */

/**
 * Call it before anything that reveals whether a username exists or costs a hash. Our signature makes a rate limit needless.
 *
 * @returns the invitation to consume; null if SIGN_UP=open, which consumes none without groups
 */
export async function requireSignUp(token: string | undefined, context: RequestContext): Promise<Invitation | null> {
  const claims = token === undefined ? null : await readToken('invitation', token)
  if (token !== undefined && !claims) await logIfForged(token, context)
  const invitation = requireValidInvitation(claims)
  if (invitation && !(await stands(invitation))) throw new ApiError('sign_up_closed')
  return invitation
}

/** True if the invitation can still be used. A hint: the sign-up deletes it. */
const stands = async (invitation: Invitation) =>
  (await readRows`SELECT 1 AS "found" FROM "Invitation" i WHERE i."id" = ${invitationId(invitation)}`).length > 0

/** Checks SIGN_UP and the invitation's expiry, first and again with the insertion: both may have changed meanwhile. */
function requireValidInvitation(invitation: Invitation | null | undefined): Invitation | null {
  const { signUp } = settings()
  if (signUp === 'open' && !invitation?.groups) return null
  if (!invitation || invitation.exp <= nowInSeconds()) throw new ApiError('sign_up_closed')
  if (signUp === 'closed' && !admitsAdministrator(invitation)) throw new ApiError('sign_up_closed')
  const { jti, exp, groups } = invitation
  return { jti, exp, ...(groups && { groups }) }
}

type NewAccount = Parameters<Database['user']['create']>[0]['data'] & { id: string; usernameKey: string }

/**
 * Inserts an account. One transaction, so that a taken username leaves the invitation valid.
 *
 * @throws ApiError sign_up_closed
 */
export async function insertAccount(invitation: Invitation | null, data: NewAccount): Promise<UserWithEpoch> {
  const { id, usernameKey } = data
  const db = await database()
  const invitationToConsume = requireValidInvitation(invitation)
  const groups = invitationToConsume?.groups?.toSorted() ?? []
  // Delete and catch: the row admits one of several concurrent sign-ups, and none once it is withdrawn. It comes first, because
  // with a used invitation a taken username must not show.
  const { user } = await transaction(db, {
    ...(admitsAdministrator(invitationToConsume) && voidIfNeedless(db)),
    invitation: invitationToConsume
      ? db.invitation.delete({ where: { id: invitationId(invitationToConsume) }, select: { id: true } })
      : undefined,
    // Locked, so that a group's deletion sees the new member, or comes first and the account does not join. In one order, and
    // before the account's own rows, so that no two transactions wait for each other.
    locks: groups.map((group) => lockGroup(db, group)),
    user: db.user.create({ data }),
    identifier: insertUsername(db, id, usernameKey),
    groups: groups.map((group) => joinIfThere(db, id, group)),
    announcement: announceCreation(db, isAccount(id)),
  }).catch((cause: unknown) => {
    throw isMissing(cause) ? new ApiError('sign_up_closed', { cause }) : cause
  })
  deliverWebhooks()
  return user
}

/**
 * Voids the links of `invite --admin` once an administrator can sign in. The group comes first, which everything locks that changes
 * who can: otherwise a sign-up and an account that joins at once would not see each other under READ COMMITTED.
 */
const voidIfNeedless = (db: Database) => ({
  administration: groupCreation(db, administrators),
  voided: statement(db)`DELETE FROM "Invitation" WHERE "groups" = ${administrators}
    AND EXISTS (SELECT 1 FROM "User" u WHERE ${isActiveAdministrator()})`,
})

/** True for a link of `invite --admin` */
export const admitsAdministrator = (invitation: Pick<Invitation, 'groups'> | null | undefined): boolean =>
  invitation?.groups?.includes(administrators) ?? false

export type Invitation = Pick<Claims<'invitation'>, 'jti' | 'exp' | 'groups'>

/** Makes the id of the invitation's row: a digest, so that neither a list nor a stolen database yields a valid token. */
export const invitationId = ({ jti }: { jti: string }) => hash('sha256', `latchkey/invitation ${jti}`).slice(0, 32)
