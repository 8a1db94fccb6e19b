import { database } from '@/lib/database/client'
import { recordEvent } from './events'
import type { Client } from './request-context'
import { requireFreshSession } from './sessions'

/**
 * Ends all sessions of the account, this one too.
 *
 * @throws ApiError not_signed_in, reauthentication_required
 */
export async function signOutEverywhere(client: Client): Promise<void> {
  const { user } = await requireFreshSession(client.session)
  const db = await database()
  await db.user.updateMany({ where: { id: user.id }, data: { sessionEpoch: { increment: 1 } } })
  await recordEvent(user.id, 'signed_out_everywhere', client)
}

/**
 * Removes the account with all that it owns.
 *
 * @throws ApiError not_signed_in, reauthentication_required
 */
export async function deleteAccount(client: Client): Promise<void> {
  const { user } = await requireFreshSession(client.session)
  const db = await database()
  await db.user.deleteMany({ where: { id: user.id } })
}
