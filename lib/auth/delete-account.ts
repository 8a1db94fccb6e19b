import { database } from '@/lib/database/client'
import type { RequestContext } from './request-context'
import { requireRecentSession } from './sessions'

/** @throws ApiError not_signed_in, reauthentication_required */
export async function deleteAccount(context: RequestContext): Promise<void> {
  const { user } = await requireRecentSession(context.session)
  const db = await database()
  await db.user.deleteMany({ where: { id: user.id } })
}
