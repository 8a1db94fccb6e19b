import { limits } from '@/lib/api/limits'
import type { AccountEvent, EventKind, EventMethod, EventPage, EventType, eventsInput } from '@/lib/api/schemas'
import { eventRetentionMilliseconds } from '@/lib/database/dialect/expired-rows'
import { readRows, type SqlBoolean, type SqlInteger } from '@/lib/database/direct-sql'
import { list, sql } from '@/lib/database/fragments'
import { isBrowserName } from '../audit/browser-name'
import { failureTypes } from '../audit/security-log'
import type { Parsed } from '../model/request-context'
import { isoOfMilliseconds } from '../model/time'
import type { Session } from '../sessions/find-session'
import { type EventPosition, formatCursor, parseCursor } from './event-cursor'

interface EventRow {
  id: string
  type: string
  method: string | null
  browser: string | null
  newBrowser: SqlBoolean
  byPasskey: SqlBoolean
  app: string | null
  count: number
  at: SqlInteger
}

type PageRequest = Parsed<typeof eventsInput>['body']

export const listEvents = ({ body, session }: { body: PageRequest; session: Session }) =>
  eventsOfAccount(session.user.id, body)

export async function eventsOfAccount(userId: string, { before, kind }: PageRequest = {}): Promise<EventPage> {
  const rows = await newestRows(userId, kind, before === undefined ? beforeAll : parseCursor(before))
  const page = rows.slice(0, limits.events)
  const last = page.at(-1)
  const more = rows.length > page.length
  return {
    events: page.map(describeEvent),
    more,
    ...(more && last && { next: formatCursor({ at: BigInt(last.at), id: last.id }) }),
  }
}

/** One subquery per kind, like the index: events of a kind that is not requested are not read. */
async function newestRows(userId: string, kind: EventKind | undefined, { at, id }: EventPosition) {
  const since = oldest()
  const limit = limits.events + 1
  return readRows<EventRow>`
    SELECT * FROM (SELECT * FROM "Event" WHERE "userId" = ${userId} AND "kind" = 'changes'
      AND "at" BETWEEN ${since} AND ${at} AND ("at" < ${at} OR "id" < ${id})
      ORDER BY "at" DESC, "id" DESC LIMIT ${kind === 'sign_ins' ? 0 : limit}) c
    UNION ALL
    SELECT * FROM (SELECT * FROM "Event" WHERE "userId" = ${userId} AND "kind" = 'sign_ins'
      AND "at" BETWEEN ${since} AND ${at} AND ("at" < ${at} OR "id" < ${id})
      ORDER BY "at" DESC, "id" DESC LIMIT ${kind === 'changes' ? 0 : limit}) s
    ORDER BY "at" DESC, "id" DESC LIMIT ${limit}`
}

const beforeAll: EventPosition = { at: BigInt(Number.MAX_SAFE_INTEGER), id: '' }

const oldest = () => BigInt(Date.now() - eventRetentionMilliseconds)

const newSignIn: EventType = 'signed_in'
const notableChanges: readonly EventType[] = [
  ...(['passkey_added', 'passkey_removed', 'username_changed', 'password_changed', 'password_removed'] as const),
  ...(['recovery_codes_made', 'account_disabled', 'account_enabled'] as const),
]

// Made once, so that the statement's text is built once.
const isNotableChange = sql`"type" IN (${list(notableChanges)})`
const isNotableSignIn = sql`(
  "type" IN (${list(failureTypes)}) OR ("type" = ${newSignIn} AND "newBrowser" = ${true}))`

/** Bounds the work. */
const searchedEvents = 5000

export async function listNotableEvents({ session }: { session: Session }): Promise<{ events: AccountEvent[] }> {
  return { events: await notableEventsOfAccount(session.user.id) }
}

/** The newest of each type, so that an attacker who causes many of one type cannot push out the others. */
export async function notableEventsOfAccount(userId: string): Promise<AccountEvent[]> {
  const since = oldest()
  const rows = await readRows<EventRow>`
    SELECT * FROM (
      SELECT e.*, ROW_NUMBER() OVER (PARTITION BY e."type" ORDER BY e."at" DESC, e."id" DESC) AS "nth" FROM (
        SELECT * FROM (SELECT * FROM "Event" WHERE "userId" = ${userId} AND "kind" = 'changes' AND "answered" = ${false}
          AND ${isNotableChange} AND "at" >= ${since} ORDER BY "at" DESC LIMIT ${searchedEvents}) c
        UNION ALL
        SELECT * FROM (SELECT * FROM "Event" WHERE "userId" = ${userId} AND "kind" = 'sign_ins' AND "answered" = ${false}
          AND ${isNotableSignIn} AND "at" >= ${since} ORDER BY "at" DESC LIMIT ${searchedEvents}) s
      ) e
    ) n
    WHERE n."nth" <= ${limits.notableEvents} ORDER BY n."at" DESC, n."id" DESC`
  return rows.map(describeEvent)
}

function describeEvent({ type, at, method, browser, newBrowser, byPasskey, app, count }: EventRow): AccountEvent {
  const isFailure = failureTypes.some((one) => one === type)
  return {
    type: type as EventType,
    at: isoOfMilliseconds(at),
    method: method as EventMethod | null,
    // Earlier versions stored arbitrary text from the User-Agent.
    browser: isBrowserName(browser) ? browser : null,
    ...((isFailure || count > 1) && { count: Number(count) }),
    ...(newBrowser && { newBrowser: true as const }),
    ...(byPasskey && { byPasskey: true as const }),
    ...(app !== null && { app }),
  }
}
