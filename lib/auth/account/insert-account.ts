import { ApiError } from '@/lib/api/errors'
import { type Database, database } from '@/lib/database/client'
import { isConflict } from '@/lib/database/errors'
import { type Statement, transaction } from '@/lib/database/transaction'
import { joinIfThere } from '../model/groups'
import { insertUsername } from '../model/identifiers'
import { lockGroup } from '../model/locks'
import { soleConsumption } from '../tokens/consumed-tokens'
import { announceCreation, deliverWebhooks, isAccount } from '../webhooks/announce'
import { type Invitation, requireValidInvitation } from './invitations'

/**
 * For every sign-up. One transaction, so that a taken username leaves the invitation valid.
 *
 * @throws ApiError sign_up_closed
 */
export async function insertAccount<T>(
  invitation: Invitation | null,
  { id, usernameKey }: { id: string; usernameKey: string },
  insertion: (db: Database) => Statement<T>,
): Promise<T> {
  const db = await database()
  const invitationToConsume = requireValidInvitation(invitation)
  const groups = invitationToConsume?.groups?.toSorted() ?? []
  // Insert and catch: the primary key admits one of several concurrent sign-ups. The invitation comes first, because with a
  // used one a taken username must not show.
  const { user } = await transaction(db, {
    invitation: invitationToConsume ? soleConsumption(db, invitationToConsume) : undefined,
    // Locked, so that a group's deletion sees the new member, or comes first and the account does not join. In one order, and
    // before the account's own rows, so that no two transactions wait for each other.
    locks: groups.map((group) => lockGroup(db, group)),
    user: insertion(db),
    identifier: insertUsername(db, id, usernameKey),
    groups: groups.map((group) => joinIfThere(db, id, group)),
    announcement: announceCreation(db, isAccount(id)),
  }).catch((cause: unknown) => {
    throw isConflict(cause, 'ConsumedToken') ? new ApiError('sign_up_closed', { cause }) : cause
  })
  deliverWebhooks()
  return user
}
