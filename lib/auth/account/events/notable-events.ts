import { failureEvents } from '@/lib/api/failure-events'
import { limits } from '@/lib/api/limits'
import type { AccountEvent, EventType } from '@/lib/api/schemas'
import { readRows } from '@/lib/database/direct-sql'
import { list, sql } from '@/lib/database/fragments'
import { oldestKeptEvent } from '@/lib/database/purge'
import type { Session } from '../../sessions/find-session'
import { describeEvent, type EventRow } from './event-row'

const newSignIn: EventType = 'signed_in'
const notableChanges: readonly EventType[] = [
  ...(['passkey_added', 'passkey_removed', 'username_changed', 'password_changed', 'password_removed'] as const),
  ...(['recovery_codes_made', 'account_disabled', 'account_enabled'] as const),
]

// Made once, so that the statement's text is built once.
const isNotableChange = sql`"type" IN (${list(notableChanges)})`
const isNotableSignIn = sql`(
  "type" IN (${list(failureEvents)}) OR ("type" = ${newSignIn} AND "newBrowser" = ${true}))`

/** Bounds the work. */
const searchedEvents = 5000

export async function listNotableEvents({ session }: { session: Session }): Promise<{ events: AccountEvent[] }> {
  return { events: await notableEventsOfAccount(session.user.id) }
}

/** The newest of each type, so that an attacker who causes many of one type cannot push out the others. */
export async function notableEventsOfAccount(userId: string): Promise<AccountEvent[]> {
  const since = oldestKeptEvent()
  const rows = await readRows<EventRow>`
    SELECT * FROM (
      SELECT e.*, ROW_NUMBER() OVER (PARTITION BY e."type" ORDER BY e."at" DESC, e."id" DESC) AS "nth" FROM (
        SELECT * FROM (SELECT * FROM "Event" WHERE "userId" = ${userId} AND "kind" = 'changes' AND "dismissed" = ${false}
          AND ${isNotableChange} AND "at" >= ${since} ORDER BY "at" DESC LIMIT ${searchedEvents}) c
        UNION ALL
        SELECT * FROM (SELECT * FROM "Event" WHERE "userId" = ${userId} AND "kind" = 'sign_ins' AND "dismissed" = ${false}
          AND ${isNotableSignIn} AND "at" >= ${since} ORDER BY "at" DESC LIMIT ${searchedEvents}) s
      ) e
    ) n
    WHERE n."nth" <= ${limits.notableEvents} ORDER BY n."at" DESC, n."id" DESC`
  return rows.map(describeEvent)
}
