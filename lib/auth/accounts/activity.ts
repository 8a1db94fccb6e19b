import { recordedWithinMilliseconds } from '@/lib/activity/notices'
import { limits } from '@/lib/api/limits'
import { failureEvents, isFailureEvent } from '@/lib/api/names'
import type {
  AccountEvent,
  dismissNoticesInput,
  EventKind,
  EventMethod,
  EventPage,
  EventType,
  eventsInput,
} from '@/lib/api/schemas'
import { oldestKeptEvent } from '@/lib/database/expired-rows'
import { list, readRows, type SqlRow, sql } from '@/lib/database/sql'
import { type Position, pageOf, parseCursor } from '../events/cursor'
import type { Parsed } from '../request'
import type { Session } from '../sessions/find'
import type { StepUp } from '../sessions/step-up'
import { asStepUp } from '../sessions/write'
import { limitWrites } from '../throttling/attempts'
import { isoOfMilliseconds } from '../time'

type EventRow = SqlRow<'Event'>

function describeEvent({ type, at, method, browser, newBrowser, byPasskey, app, count }: EventRow): AccountEvent {
  return {
    type: type as EventType,
    at: isoOfMilliseconds(at),
    method: method as EventMethod | null,
    browser,
    ...((isFailureEvent(type) || count > 1) && { count }),
    ...(newBrowser && { newBrowser: true as const }),
    ...(byPasskey && { byPasskey: true as const }),
    ...(app !== null && { app }),
  }
}

type PageRequest = Parsed<typeof eventsInput>['body']

export const listEvents = ({ body, session }: { body: PageRequest; session: Session }) =>
  eventsOfAccount(session.user.id, body)

export async function eventsOfAccount(userId: string, { before, kind }: PageRequest = {}): Promise<EventPage> {
  const rows = await newestRows(userId, kind, parseCursor(before))
  const { page, next } = pageOf(rows, limits.events)
  return { events: page.map(describeEvent), more: next !== null, ...(next !== null && { next }) }
}

/** One subquery per kind, like the index: events of a kind that is not requested are not read. */
async function newestRows(userId: string, kind: EventKind | undefined, { at, id }: Position) {
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

const newSignIn: EventType = 'signed_in'
const notableChanges: readonly EventType[] = [
  ...(['passkey_added', 'passkey_removed', 'username_changed', 'password_changed', 'password_removed'] as const),
  ...(['recovery_codes_made', 'recovery_asked', 'account_disabled', 'account_enabled'] as const),
]

// Made once, so that the statement's text is built once. An address that an operator has set opens nothing that a thief could want.
const isNotableChange = sql`(
  "type" IN (${list(notableChanges)}) OR ("type" = 'email_changed' AND "method" IS DISTINCT FROM 'operator'))`
const isNotableSignIn = sql`(
  "type" IN (${list(failureEvents)}) OR ("type" = ${newSignIn} AND "newBrowser" = ${true}))`

/** Bounds the work. */
const searchedEvents = 5000

export async function listNotableEvents({ session }: { session: Session }): Promise<{ events: AccountEvent[] }> {
  return { events: await notableEventsOfAccount(session.user.id) }
}

/** Lists the newest of each type, so that an attacker who causes many of one type cannot push out the others. */
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

/**
 * Marks the events up to `until` as the owner's. Only a passkey that is older than an event proves that: a stranger may have
 * added a newer one, or have the password or a code.
 */
export async function dismissNotices({
  body: { until },
  stepUp,
}: Parsed<typeof dismissNoticesInput> & { stepUp: StepUp }): Promise<{ everywhere: boolean }> {
  const { user, claims, passkeys } = stepUp.session
  const shown = passkeys.find(({ id }) => id === claims.pk)
  const last = Date.parse(until)
  if (shown) {
    const after = Date.parse(shown.createdAt) + recordedWithinMilliseconds
    const at = { gt: BigInt(after), lte: BigInt(last) }
    await limitWrites('account-writes', stepUp.session, () =>
      asStepUp(stepUp)((db) => ({
        events: db.event.updateMany({ where: { userId: user.id, dismissed: false, at }, data: { dismissed: true } }),
      })),
    )
  }
  const left = await notableEventsOfAccount(user.id)
  return { everywhere: left.every((event) => Date.parse(event.at) > last) }
}
