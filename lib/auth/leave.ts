import { database } from '@/lib/data/database'
import type { Client } from './client'
import { recordEvent } from './events'
import { requireFreshSession } from './session'

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
