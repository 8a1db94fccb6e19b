import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { limits } from '@/lib/api/limits'
import type { AccountEvent, EventType, Method } from '@/lib/api/schemas'
import { database } from '@/lib/database/client'
import { eventRetentionMilliseconds } from '@/lib/database/purge'
import { afterResponse } from '@/lib/process/after-response'
import { log } from '@/lib/process/log'
import { singleton } from '@/lib/process/singleton'
import { browserName } from './browser-name'
import type { RequestContext } from './request-context'
import { requireSession } from './sessions'

/** What strangers can cause: one row stands for an hour of it, so that nobody can fill the table. */
const failureTypes = ['signin_failed', 'locked_out'] as const
type FailureType = (typeof failureTypes)[number]
type OwnEventType = Exclude<EventType, FailureType>

const hourMilliseconds = 3_600_000
/** So long failures are gathered before they are noted together. */
const gatherMilliseconds = 250

/** Notes an event. It never fails what it tells of: that has happened. */
export async function recordEvent(
  userId: string,
  type: OwnEventType,
  context: RequestContext,
  method: Method | null = null,
) {
  const id = randomBytes(16).toString('base64url')
  await write({ id, userId, type, context, method })
}

/** Failures that wait to be noted, by row: a flood of refusals must not become a flood of writes. */
const waiting = () => singleton('failures-waiting', () => new Map<string, { count: number; at: number }>())

/** Notes a failure after the answer has gone out: whether there is an account to note it for must not show in the time. */
export function recordFailure(userId: string, type: FailureType, context: RequestContext, method: Method) {
  const id = `${userId}/${type}/${Math.floor(Date.now() / hourMilliseconds)}`
  const before = waiting().get(id)
  waiting().set(id, { count: (before?.count ?? 0) + 1, at: Date.now() })
  if (before) return
  afterResponse(async () => {
    await pause(gatherMilliseconds)
    const gathered = waiting().get(id)
    waiting().delete(id)
    await write({ id, userId, type, context, method, ...gathered })
  })
}

interface NewEvent {
  id: string
  userId: string
  type: EventType
  context: RequestContext
  method: Method | null
  count?: number
  at?: number
}

async function write({ id, userId, type, context, method, count = 1, at = Date.now() }: NewEvent) {
  try {
    const browser = browserName(context.userAgent)
    const db = await database()
    await db.$executeRaw`
      INSERT INTO "Event" ("id", "userId", "type", "method", "browser", "count", "at")
      VALUES (${id}, ${userId}, ${type}, ${method}, ${browser}, ${count}, ${BigInt(at)})
      ON CONFLICT ("id") DO UPDATE SET "count" = "Event"."count" + excluded."count", "at" = excluded."at",
        "method" = excluded."method", "browser" = excluded."browser"`
  } catch (err) {
    log().warn({ err, type }, 'an event could not be noted')
  }
}

/**
 * The newest events of the session's account, newest first.
 *
 * @returns `{events: [{type, at, method, browser, count?}]}`; `count` where one stands for several
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
