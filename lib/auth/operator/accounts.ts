import { ApiError } from '@/lib/api/errors'
import type { AccountEvent, ListedAccount, ShownAccount } from '@/lib/api/schemas'
import { database } from '@/lib/database/client'
import { readRows, type SqlInteger } from '@/lib/database/direct-sql'
import { type Fragment, sql } from '@/lib/database/fragments'
import { codesMadeAt, publicUser, type UserRow, usernameKey } from '../accounts/account'
import { eventsOfAccount, formatCursor, parseCursor } from '../audit/activity'
import { describePasskey, type PasskeyRow, passkeyColumns, userHandleOf } from '../passkeys/passkey'
import { isUnexpired } from '../recovery/codes'
import { describeSessionRecord, liveSessionRecords, type SessionRecord } from '../sessions/list'
import { readStreak, streakOfUsername } from '../throttling/streaks'
import { isoOfMilliseconds, isoTime, isoTimeOrNull, type Time } from '../time'

interface Reference {
  /** Null: either may be meant */
  kind: 'id' | 'name' | null
  given: string
}

/** What an operator typed for an account or app: `id:<id>`, `name:<name>`, or either without a prefix. */
export function readReference(text: string): Reference {
  const [, kind, given] = /^(id|name):(.*)$/s.exec(text) ?? []
  return given === undefined ? { kind: null, given: text } : { kind: kind as 'id' | 'name', given }
}

/**
 * The most matches that a page sorts. Where more accounts match, it reads accounts from the newest on until it is full, because
 * sorting would read every match.
 */
const fewMatches = 20_000

/**
 * The most accounts that a page examines for a filter without an index. It then ends early, with fewer accounts than fit, and the
 * next page continues there.
 */
const mostAsked = 10_000

interface Filters {
  group?: string | undefined
  disabled?: boolean | undefined
  hasPasskey?: boolean | undefined
  cameBack?: boolean | undefined
}

interface Selection extends Filters {
  query?: string | undefined
  after?: string | undefined
  limit?: number | undefined
}

/**
 * A page of accounts, newest first. With `query`, the account with exactly that username comes first.
 *
 * A page must not cost more with more accounts. The walk from the newest account on finds common matches soon and would look for
 * rare ones in all accounts; the indexes of names and members find rare ones at once, and would sort common ones. What the walk
 * asks each account, a page asks a limited number of them.
 *
 * @throws ApiError invalid_request if `after` is not of this selection
 */
export async function listAccounts({ query, after, limit = 50, ...filters }: Selection) {
  const { group, disabled, hasPasskey, cameBack } = filters
  const scope = JSON.stringify(['accounts', query, group, disabled, hasPasskey, cameBack])
  const position = parseCursor(after, { scope, field: 'after' })
  const key = query === undefined ? null : query.normalize('NFC').toLowerCase()
  const narrow = await narrowSource({ key, id: query ?? '', group })
  const conditions = [
    ...(after === undefined ? [] : [sql`(u."createdAt", u."id") < (${storedTime(position.at)}, ${position.id})`]),
    ...(disabled === undefined ? [] : [sql`u."disabled" = ${disabled}`]),
    ...(group === undefined || narrow?.by === 'group' ? [] : [isMemberOf(group)]),
    ...(key === null ? [] : [sql`u."usernameKey" <> ${key}`]),
    ...(key === null || narrow?.by === 'query' ? [] : [isFound(key, query ?? '')]),
  ]
  // The limit keeps PostgreSQL from turning the join into a walk.
  const source = narrow
    ? sql`(SELECT n."id", n."createdAt", n."disabled", n."usernameKey", n."displayNameKey", n."email"
        FROM (${narrow.ids}) f JOIN "User" n ON n."id" = f."id" LIMIT 1000000)`
    : sql`"User"`
  const exact = key === null || after !== undefined ? [] : await exactMatch(key, filters)
  const space = limit - exact.length
  const questions = questionsOf(filters)
  const walk = sql`SELECT u."id", u."createdAt" FROM ${source} u WHERE ${every(conditions)} ${newestFirst}`
  const asked =
    questions.length === 0
      ? walk
      : sql`
    SELECT u."id", u."createdAt" FROM (${walk} LIMIT ${mostAsked}) u WHERE ${every(questions)} ${newestFirst}`
  const rows = await readRows<WalkRow>`${asked} LIMIT ${space + 1}`
  const page = rows.slice(0, space)
  const isFull = rows.length > space
  const [unseen] =
    isFull || questions.length === 0 ? [] : await readRows<WalkRow>`${walk} LIMIT 1 OFFSET ${mostAsked - 1}`
  const last = isFull ? page.at(-1) : unseen
  const end = last ? { at: BigInt(Date.parse(isoTime(last.createdAt))), id: last.id } : beforeNewest
  const next = isFull || unseen ? formatCursor(end, scope) : null
  return { accounts: await listed([...exact, ...page.map(({ id }) => id)]), after: next }
}

interface WalkRow {
  id: string
  createdAt: Time
}

const newestFirst = sql`ORDER BY u."createdAt" DESC, u."id" DESC`

/** What no index finds of "User" as `u`. */
function questionsOf({ hasPasskey, cameBack }: Filters): Fragment[] {
  const owns = sql`EXISTS (SELECT 1 FROM "Passkey" p WHERE p."userId" = u."id")`
  // Who signs up is signed in without such an event, and a session knows the day on which it was last used.
  const returned = sql`(
    EXISTS (SELECT 1 FROM "Event" e WHERE e."userId" = u."id" AND e."kind" = 'sign_ins' AND e."type" = 'signed_in')
    OR EXISTS (SELECT 1 FROM "Session" s WHERE s."userId" = u."id" AND s."lastActiveAt" > s."openedAt"))`
  return [
    ...(hasPasskey === undefined ? [] : [hasPasskey ? owns : sql`NOT ${owns}`]),
    ...(cameBack === undefined ? [] : [cameBack ? returned : sql`NOT ${returned}`]),
  ]
}

/** The cursor after a page that the exact match fills alone */
const beforeNewest = { at: BigInt(Date.UTC(9999, 0)), id: '-' }

/** A time as both databases store and compare it */
const storedTime = (milliseconds: bigint) => new Date(Number(milliseconds)).toISOString().replace('Z', '+00:00')

const every = (conditions: Fragment[]): Fragment => conditions.reduce((all, one) => sql`${all} AND ${one}`, sql`TRUE`)

/** Follows all texts that begin with `key`. PostgreSQL's columns of keys have the collation C, which orders code points. */
const endOf = (key: string) => `${key}\u{10ffff}`

/** Whether "User" as `u` is found by a key: the beginning of the username, the address or the display name; or by the whole id. */
function isFound(key: string, id: string): Fragment {
  const length = [...key].length
  return sql`(
    substr(u."usernameKey", 1, ${length}) = ${key} OR substr(u."displayNameKey", 1, ${length}) = ${key} OR u."id" = ${id}
    OR (u."email" IS NOT NULL AND EXISTS (SELECT 1 FROM "Identifier" i
      WHERE i."userId" = u."id" AND i."email" AND substr(i."key", 1, ${length}) = ${key})))`
}

const isMemberOf = (group: string): Fragment => sql`
  EXISTS (SELECT 1 FROM "Membership" m WHERE m."userId" = u."id" AND m."groupName" = ${group})`

/** SELECTs of the ids of those that are found, each by an index. */
const foundIds = (key: string, id: string): [Fragment, Fragment, Fragment] => [
  sql`SELECT i."userId" AS "id" FROM "Identifier" i
    WHERE i."key" >= ${key} AND i."key" < ${endOf(key)} AND (i."username" OR i."email")`,
  sql`SELECT d."id" FROM "User" d WHERE d."displayNameKey" >= ${key} AND d."displayNameKey" < ${endOf(key)}`,
  sql`SELECT o."id" FROM "User" o WHERE o."id" = ${id}`,
]

interface Narrowing {
  key: string | null
  id: string
  group: string | undefined
}

/** The ids of the part of a selection that has few; null if no part has. */
async function narrowSource({ key, id, group }: Narrowing): Promise<{ by: 'query' | 'group'; ids: Fragment } | null> {
  if (group !== undefined) {
    const ids = sql`SELECT m."userId" AS "id" FROM "Membership" m WHERE m."groupName" = ${group}`
    if (await hasFew(ids)) return { by: 'group', ids }
  }
  if (key === null) return null
  const [names, displayNames, self] = foundIds(key, id)
  // UNION would sort all of them before it counts the first.
  if (await hasFew(sql`${names} UNION ALL ${displayNames} UNION ALL ${self}`))
    return { by: 'query', ids: sql`${names} UNION ${displayNames} UNION ${self}` }
  return null
}

async function hasFew(ids: Fragment): Promise<boolean> {
  const [row] = await readRows<{ count: SqlInteger }>`
    SELECT COUNT(*) AS "count" FROM (SELECT 1 FROM (${ids}) s LIMIT ${fewMatches + 1}) few`
  return Number(row?.count) <= fewMatches
}

async function exactMatch(key: string, filters: Filters): Promise<string[]> {
  const { group, disabled } = filters
  const conditions = [
    sql`u."usernameKey" = ${key}`,
    ...(disabled === undefined ? [] : [sql`u."disabled" = ${disabled}`]),
    ...(group === undefined ? [] : [isMemberOf(group)]),
    ...questionsOf(filters),
  ]
  return (await readRows<{ id: string }>`SELECT u."id" FROM "User" u WHERE ${every(conditions)}`).map(({ id }) => id)
}

/** In the order of their ids. */
async function listed(ids: string[]): Promise<ListedAccount[]> {
  const db = await database()
  const [rows, days] = await Promise.all([
    db.user.findMany({ where: { id: { in: ids } }, select: listedColumns }),
    db.session.groupBy({ by: ['userId'], where: { userId: { in: ids } }, _max: { lastActiveAt: true } }),
  ])
  const byId = new Map(rows.map((row) => [row.id, row]))
  const activeAt = new Map(days.map(({ userId, _max }) => [userId, _max.lastActiveAt]))
  return ids.flatMap((id) => {
    const row = byId.get(id)
    if (!row) return []
    const time = activeAt.get(id) ?? null
    const lastActiveAt = time === null ? null : isoOfMilliseconds(time).slice(0, 10)
    return [{ ...accountOf(row), lastActiveAt }]
  })
}

/** `passwordHash` only shows whether there is one. */
const listedColumns = {
  id: true,
  username: true,
  displayName: true,
  createdAt: true,
  disabled: true,
  email: true,
  memberships: true,
  passwordHash: true,
  passkeys: { select: passkeyColumns, orderBy: { createdAt: 'asc' } },
} as const

interface ListedRow extends UserRow {
  disabled: boolean
  email: string | null
  memberships: { groupName: string }[]
  passwordHash: string | null
  passkeys: PasskeyRow[]
}

const accountOf = ({ disabled, email, memberships, passwordHash, passkeys, ...user }: ListedRow) => ({
  ...publicUser(user),
  email,
  groups: memberships.map(({ groupName }) => groupName).sort(),
  passkeys: passkeys.map(describePasskey),
  hasPassword: passwordHash !== null,
  disabled,
})

/** What `accountDetails` reads. */
const detailedColumns = () =>
  ({
    userHandle: true,
    passwordSetAt: true,
    recoveryCodesMadeAt: true,
    _count: { select: { recoveryCodes: { where: isUnexpired() } } },
  }) as const

interface DetailedRow {
  id: string
  userHandle: string | null
  passwordSetAt: Time | null
  recoveryCodesMadeAt: Time | null
  _count: { recoveryCodes: number }
}

/** The details that `show` and `export` share */
const accountDetails = ({ _count, ...row }: DetailedRow) => ({
  userHandle: userHandleOf(row),
  passwordSetAt: isoTimeOrNull(row.passwordSetAt),
  recoveryCodesLeft: _count.recoveryCodes,
  recoveryCodesMadeAt: codesMadeAt(_count.recoveryCodes, row.recoveryCodesMadeAt),
})

/** @throws ApiError not_found */
export async function showAccount(named: { id?: string | undefined; username?: string | undefined }) {
  const db = await database()
  const where = named.id === undefined ? { usernameKey: usernameKey(named.username ?? '') } : { id: named.id }
  const select = { ...listedColumns, ...detailedColumns(), sessionEpoch: true } as const
  const row = await db.user.findUnique({ where, select })
  if (!row) throw new ApiError('not_found')
  const { id } = row
  const [records, { events }] = await Promise.all([
    liveSessionRecords({ sub: id, epoch: row.sessionEpoch }),
    eventsOfAccount(id),
  ])
  const shown: ShownAccount = {
    ...accountOf(row),
    ...accountDetails(row),
    sessions: records.map(describeSessionRecord),
    events,
  }
  return shown
}

/** Leaves out credentials, apps' tokens and sessions, and the outbox. The command adds the apps. */
export async function exportAccount({ id }: UserRow) {
  const db = await database()
  const select = {
    ...listedColumns,
    ...detailedColumns(),
    passkeys: { orderBy: { createdAt: 'asc' } },
    identifiers: true,
    sessions: { orderBy: { openedAt: 'desc' } },
  } as const
  const row = await db.user.findUnique({ where: { id }, select })
  if (!row) return null
  return {
    ...publicUser(row),
    formerUsernames: row.identifiers.filter(({ former }) => former).map(({ key }) => key),
    disabled: row.disabled,
    hasPassword: row.passwordHash !== null,
    email: row.email,
    groups: row.memberships.map(({ groupName }) => groupName).sort(),
    ...accountDetails(row),
    failedAttemptsInARow: await readStreak(streakOfUsername(row.username)),
    passkeys: row.passkeys.map((passkey) => ({
      ...describePasskey(passkey),
      aaguid: passkey.aaguid,
      publicKey: Buffer.from(passkey.publicKey).toString('base64url'),
      counter: Number(passkey.counter),
      userVerified: passkey.userVerified,
      userHandle: passkey.userHandle,
    })),
    sessions: row.sessions.map((session) => ({
      ...describeSessionRecord(session as SessionRecord),
      passkey: session.passkeyId,
    })),
    events: await allEvents(id),
  }
}

async function allEvents(id: string): Promise<AccountEvent[]> {
  const events: AccountEvent[] = []
  for (let before: string | undefined; ; ) {
    const page = await eventsOfAccount(id, before === undefined ? {} : { before })
    events.push(...page.events)
    if (page.next === undefined) return events
    before = page.next
  }
}
