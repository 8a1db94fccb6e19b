import { createHash, randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { type FailureEvent, failureEvents } from '@/lib/api/names'
import { type EventMethod, type EventType, eventKindOf, type Method } from '@/lib/api/schemas'
import { flushed, unflushed } from '@/lib/database/sql'
import { singleton } from '@/lib/process/singleton'
import { afterResponse, bestEffort } from '@/lib/process/work'
import { browserName, type EventContext } from '../request'
import { daySeconds, hourMilliseconds, nowInSeconds } from '../time'
import type { Claims } from '../tokens/claims'
import { writeToOwner } from './letters'
import { logSecurityEvent } from './security-log'

/*
 * An event stands in four tables: its type in api/schemas/events.ts, its line in security-log.ts, its notice in
 * accounts/activity.ts and its letter in letters.ts. docs/recipes.md has the steps of a new one.
 */

export type ActionType = Exclude<EventType, FailureEvent>

const batchMilliseconds = 250

interface EventDetails {
  method?: EventMethod | null
  /** The id of the request's device token */
  device?: string | null
  newBrowser?: boolean
  app?: { id: string; name: string }
  session?: Claims<'session'>
  /** The operator, for the security log; the owner learns that it was one */
  by?: string | null
}

/** Records an event for the owner and in the security log. Never throws: the action has already succeeded. */
export async function recordEvent(
  userId: string,
  type: ActionType,
  origin: EventContext,
  { method = null, device = null, newBrowser = false, app, session, by }: EventDetails = {},
) {
  logSecurityEvent(type, origin, { account: userId, method, ...(app && { app: app.id }), ...(by && { by }) })
  const id = repeatedTypes.has(type)
    ? hourlyId(userId, type, method, newBrowser, device ?? browserName(origin.userAgent), app?.id ?? null)
    : randomBytes(16).toString('base64url')
  const byPasskey = session?.pk !== undefined
  await store({
    id,
    userId,
    type,
    origin,
    method,
    newBrowser,
    app: app?.name,
    byPasskey,
    isDismissed: isCertainlyOwners(session),
  })
  await writeToOwner(userId, { type, origin, method, newBrowser })
}

/**
 * The session that created the account is certainly its owner's on the first day, when nobody else has a credential. Later a
 * copied session would hide what its thief does.
 */
const isCertainlyOwners = (session?: Claims<'session'>) =>
  session?.signed_up !== undefined && nowInSeconds() - session.signed_up < daySeconds

/** One row an hour, so that what a program does constantly does not bury other events. */
const repeatedTypes: ReadonlySet<EventType> = new Set([
  ...failureEvents,
  ...(['signed_in', 'reauthenticated', 'signed_out_everywhere', 'app_allowed', 'app_removed'] as const),
])

/** By row id. A flood of failed attempts must not cause a flood of writes. */
const pendingFailures = () => singleton('pending-failures', () => new Map<string, { count: number; at: number }>())

/**
 * Records after the response, whose timing must not reveal whether the account exists. All browsers share one row an
 * hour, so that an attacker cannot fill the table.
 */
export function recordFailure(userId: string, type: FailureEvent, origin: EventContext, method: Method) {
  const id = hourlyId(userId, type)
  const pending = pendingFailures().get(id)
  pendingFailures().set(id, { count: (pending?.count ?? 0) + 1, at: Date.now() })
  if (pending) return
  afterResponse(async () => {
    await delay(batchMilliseconds)
    const batch = pendingFailures().get(id)
    pendingFailures().delete(id)
    await store({ id, userId, type, origin, method, ...batch })
  })
}

function hourlyId(...parts: (string | boolean | null)[]): string {
  const hour = Math.floor(Date.now() / hourMilliseconds)
  return createHash('sha256')
    .update(JSON.stringify([...parts, hour]))
    .digest('base64url')
}

interface NewEvent {
  id: string
  userId: string
  type: EventType
  origin: EventContext
  method: EventMethod | null
  newBrowser?: boolean
  app?: string | undefined
  byPasskey?: boolean
  /** Stored as dismissed, so that it causes no notice */
  isDismissed?: boolean
  count?: number
  at?: number
}

const store = (event: NewEvent) =>
  bestEffort(() => insertOrCount(event), 'could not record an account event', { type: event.type })

async function insertOrCount(event: NewEvent) {
  const { id, userId, type, origin, method, newBrowser = false, app = null, count = 1, at = Date.now() } = event
  const { byPasskey = false, isDismissed = false } = event
  const browser = browserName(origin.userAgent)
  // A power cut may lose the latest of repeated events, so these do not wait for the disk.
  const { changes } = repeatedTypes.has(type) ? unflushed : flushed
  await changes`
    INSERT INTO "Event" ("id", "userId", "kind", "type", "method", "browser", "newBrowser", "count", "at", "app",
      "byPasskey", "dismissed")
    VALUES (${id}, ${userId}, ${eventKindOf(type)}, ${type}, ${method}, ${browser}, ${newBrowser}, ${count},
      ${BigInt(at)}, ${app}, ${byPasskey}, ${isDismissed})
    ON CONFLICT ("id") DO UPDATE SET "count" = "Event"."count" + excluded."count", "at" = excluded."at",
      "method" = excluded."method", "browser" = excluded."browser", "dismissed" = excluded."dismissed"`
}
