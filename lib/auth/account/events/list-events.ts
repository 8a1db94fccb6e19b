import { limits } from '@/lib/api/limits'
import type { EventKind, EventPage, eventsInput } from '@/lib/api/schemas'
import { readRows } from '@/lib/database/direct-sql'
import { oldestKeptEvent } from '@/lib/database/purge'
import type { Parsed } from '../../model/request-context'
import type { Session } from '../../sessions/find-session'
import { type EventPosition, formatCursor, parseCursor } from './event-cursor'
import { describeEvent, type EventRow } from './event-row'

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
  const since = oldestKeptEvent()
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
