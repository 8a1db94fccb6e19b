import { database } from '@/lib/database/client'
import { recordEvent } from './events'
import type { RequestContext } from './request-context'
import { requireRecentSession } from './sessions'

/** Revokes all sessions of the account, this one included. @throws ApiError not_signed_in, reauthentication_required */
export async function signOutEverywhere(context: RequestContext): Promise<void> {
  const { user } = await requireRecentSession(context.session)
  const db = await database()
  await db.user.updateMany({ where: { id: user.id }, data: { sessionEpoch: { increment: 1 } } })
  await recordEvent(user.id, 'signed_out_everywhere', context)
}
