import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { EventType, Method } from '@/lib/api/schemas'
import { database } from '@/lib/database/client'
import { afterResponse } from '@/lib/process/after-response'
import { log } from '@/lib/process/log'
import { singleton } from '@/lib/process/singleton'
import { browserName } from './browser-name'
import type { RequestContext } from './request-context'

/** Anyone can cause these: one row covers an hour, so that an attacker cannot fill the table. */
export const failureTypes = ['signin_failed', 'locked_out'] as const
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
  { newBrowser = false } = {},
) {
  const id = randomBytes(16).toString('base64url')
  await write({ id, userId, type, context, method, newBrowser })
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
  newBrowser?: boolean
}

async function write({ id, userId, type, context, method, count = 1, at = Date.now(), newBrowser = false }: NewEvent) {
  try {
    const browser = browserName(context.userAgent)
    const db = await database()
    await db.$executeRaw`
      INSERT INTO "Event" ("id", "userId", "type", "method", "browser", "count", "at", "newBrowser")
      VALUES (${id}, ${userId}, ${type}, ${method}, ${browser}, ${count}, ${BigInt(at)}, ${newBrowser})
      ON CONFLICT ("id") DO UPDATE SET "count" = "Event"."count" + excluded."count", "at" = excluded."at",
        "method" = excluded."method", "browser" = excluded."browser"`
  } catch (err) {
    log().warn({ err, type }, 'Could not record an account event')
  }
}
