import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
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

/** Anyone can cause these: one row covers an hour, so that an attacker cannot fill the table. */
const failureTypes = ['signin_failed', 'locked_out'] as const
type FailureType = (typeof failureTypes)[number]
type OwnEventType = Exclude<EventType, FailureType>

const hourMilliseconds = 3_600_000
const batchMilliseconds = 250

/** Records an event. Never throws: the action has already succeeded. */
export async function recordEvent(
  userId: string,
  type: OwnEventType,
  context: RequestContext,
  method: Method | null = null,
) {
  const id = randomBytes(16).toString('base64url')
  await write({ id, userId, type, context, method })
}

/** Failures not yet written, by row id: a flood of failed attempts must not become a flood of writes. */
const pendingFailures = () => singleton('pending-failures', () => new Map<string, { count: number; at: number }>())

/** Records a failure after the response: its timing must not reveal whether the account exists. */
export function recordFailure(userId: string, type: FailureType, context: RequestContext, method: Method) {
  const id = `${userId}/${type}/${Math.floor(Date.now() / hourMilliseconds)}`
  const pending = pendingFailures().get(id)
  pendingFailures().set(id, { count: (pending?.count ?? 0) + 1, at: Date.now() })
  if (pending) return
  afterResponse(async () => {
    await delay(batchMilliseconds)
    const batch = pendingFailures().get(id)
    pendingFailures().delete(id)
    await write({ id, userId, type, context, method, ...batch })
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
    log().warn({ err, type }, 'Could not record an account event')
  }
}

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
