import { limits } from '@/lib/api/limits'
import type { AccountEvent, EventType, Method } from '@/lib/api/schemas'
import { database } from '@/lib/database/client'
import { eventRetentionMilliseconds } from '@/lib/database/purge'
import { failureTypes } from './events'
import type { RequestContext } from './request-context'
import { requireSession } from './sessions'

/**
 * @returns `{events: [{type, at, method, browser, count?}]}`; newest first, `count` only for failures
 * @throws ApiError not_signed_in
 */
export async function listEvents(context: RequestContext): Promise<{ events: AccountEvent[] }> {
  const { user } = await requireSession(context.session)
  const db = await database()
  const at = { gte: BigInt(Date.now() - eventRetentionMilliseconds) }
  const rows = await db.event.findMany({ where: { userId: user.id, at }, orderBy: { at: 'desc' }, take: limits.events })
  const events = rows.map(({ type, at, method, browser, count }) => ({
    type: type as EventType,
    at: new Date(Number(at)).toISOString(),
    method: method as Method | null,
    browser,
    ...(isFailure(type) && { count }),
  }))
  return { events }
}

const isFailure = (type: string) => failureTypes.some((failure) => failure === type)
