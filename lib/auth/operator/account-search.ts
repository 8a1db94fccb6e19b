import { type Fragment, readRows, type SqlInteger, type SqlRow, sql } from '@/lib/database/sql'
import { formatCursor, type Position, parseCursor } from '../events/cursor'
import { isoTime } from '../time'

/**
 * The most matches that a page sorts. Where more accounts match, it reads accounts from the newest on until it is full, because
 * sorting would read every match.
 */
const fewMatches = 20_000

/**
 * The most accounts that a page examines for a filter without an index. It then ends early, with fewer accounts than fit, and the
 * next page continues there.
 */
const mostExamined = 10_000

interface Filters {
  group?: string | undefined
  disabled?: boolean | undefined
  hasPasskey?: boolean | undefined
  cameBack?: boolean | undefined
}

export interface Selection extends Filters {
  query?: string | undefined
  after?: string | undefined
  limit?: number | undefined
}

/**
 * Finds a page of accounts, newest first. With `query`, the account with exactly that username comes first.
 *
 * @returns their ids, and where the next page begins; null if nothing is left
 * @throws ApiError invalid_request if `after` is not of this selection
 */
export async function findAccounts({ query, after, limit = 50, ...filters }: Selection) {
  const { group, disabled, hasPasskey, cameBack } = filters
  const scope = JSON.stringify(['accounts', query, group, disabled, hasPasskey, cameBack])
  const position = parseCursor(after, { scope, field: 'after' })
  const search = query === undefined ? null : { key: query.normalize('NFC').toLowerCase(), id: query }
  const exact = search === null || after !== undefined ? [] : await exactMatch(search.key, filters)
  const walk = await walkFrom(after === undefined ? null : position, search, filters)
  const { ids, end } = await readPage(walk, unindexedOf(filters), limit - exact.length)
  return { ids: [...exact, ...ids], after: end && formatCursor(end, scope) }
}

interface Search {
  /** The beginning of a username, an address or a display name, folded */
  key: string
  /** Or a whole id */
  id: string
}

/**
 * Makes the statement that walks from a position, or from the newest account, to older ones, by all that an index finds.
 *
 * A page must not cost more with more accounts. The walk finds common matches soon and would look for rare ones in all accounts;
 * the indexes of names and members find rare ones at once, and would sort common ones.
 */
async function walkFrom(
  position: Position | null,
  search: Search | null,
  { group, disabled }: Filters,
): Promise<Fragment> {
  const narrow = await narrowSource(search, group)
  const conditions = [
    ...(position === null ? [] : [sql`(u."createdAt", u."id") < (${storedTime(position.at)}, ${position.id})`]),
    ...(disabled === undefined ? [] : [sql`u."disabled" = ${disabled}`]),
    ...(group === undefined || narrow?.by === 'group' ? [] : [isMemberOf(group)]),
    // The first page begins with this account.
    ...(search === null ? [] : [sql`u."usernameKey" <> ${search.key}`]),
    ...(search === null || narrow?.by === 'search' ? [] : [isFound(search)]),
  ]
  // The limit keeps PostgreSQL from turning the join into a walk.
  const source = narrow
    ? sql`(SELECT n."id", n."createdAt", n."disabled", n."usernameKey", n."displayNameKey", n."email"
        FROM (${narrow.ids}) f JOIN "User" n ON n."id" = f."id" LIMIT 1000000)`
    : sql`"User"`
  return sql`SELECT u."id", u."createdAt" FROM ${source} u WHERE ${every(conditions)} ${newestFirst}`
}

type WalkRow = SqlRow<'User', 'id' | 'createdAt'>

/**
 * Reads a page of a walk. Conditions that no index finds are asked of a limited number of accounts. `end` is where the next page
 * continues; null if nothing is left.
 */
async function readPage(
  walk: Fragment,
  unindexed: Fragment[],
  space: number,
): Promise<{ ids: string[]; end: Position | null }> {
  const isFiltered = unindexed.length > 0
  const found = isFiltered
    ? sql`
    SELECT u."id", u."createdAt" FROM (${walk} LIMIT ${mostExamined}) u WHERE ${every(unindexed)} ${newestFirst}`
    : walk
  const rows = await readRows<WalkRow>`${found} LIMIT ${space + 1}`
  const page = rows.slice(0, space)
  const ids = page.map(({ id }) => id)
  if (rows.length > space) return { ids, end: positionOf(page.at(-1)) }
  const [lastExamined] = isFiltered ? await readRows<WalkRow>`${walk} LIMIT 1 OFFSET ${mostExamined - 1}` : []
  return { ids, end: lastExamined ? positionOf(lastExamined) : null }
}

/** The position after this row; without one, after a page that the exact match fills alone. */
const positionOf = (row: WalkRow | undefined): Position =>
  row ? { at: BigInt(Date.parse(isoTime(row.createdAt))), id: row.id } : { at: BigInt(Date.UTC(9999, 0)), id: '-' }

const newestFirst = sql`ORDER BY u."createdAt" DESC, u."id" DESC`

/**
 * Makes the conditions on "User" as `u` that no index finds. With EXISTS, PostgreSQL would read everybody's passkeys and sessions
 * before it asks the first account.
 */
function unindexedOf({ hasPasskey, cameBack }: Filters): Fragment[] {
  const owns = sql`(SELECT 1 FROM "Passkey" p WHERE p."userId" = u."id" LIMIT 1) IS NOT NULL`
  // Who signs up is signed in without such an event, and a session knows the day on which it was last used.
  const returned = sql`(
    (SELECT 1 FROM "Event" e
      WHERE e."userId" = u."id" AND e."kind" = 'sign_ins' AND e."type" = 'signed_in' LIMIT 1) IS NOT NULL
    OR (SELECT 1 FROM "Session" s WHERE s."userId" = u."id" AND s."lastActiveAt" > s."openedAt" LIMIT 1) IS NOT NULL)`
  return [
    ...(hasPasskey === undefined ? [] : [hasPasskey ? owns : sql`NOT (${owns})`]),
    ...(cameBack === undefined ? [] : [cameBack ? returned : sql`NOT ${returned}`]),
  ]
}

/** Formats a time as both databases store and compare it. */
const storedTime = (milliseconds: bigint) => new Date(Number(milliseconds)).toISOString().replace('Z', '+00:00')

const every = (conditions: Fragment[]): Fragment => conditions.reduce((all, one) => sql`${all} AND ${one}`, sql`TRUE`)

/** Follows all texts that begin with `key`. PostgreSQL's columns of keys have the collation C, which orders code points. */
const endOf = (key: string) => `${key}\u{10ffff}`

/** A condition: the search finds "User" as `u`. */
function isFound({ key, id }: Search): Fragment {
  const length = [...key].length
  return sql`(
    substr(u."usernameKey", 1, ${length}) = ${key} OR substr(u."displayNameKey", 1, ${length}) = ${key} OR u."id" = ${id}
    OR (u."email" IS NOT NULL AND EXISTS (SELECT 1 FROM "Identifier" i
      WHERE i."userId" = u."id" AND i."email" AND substr(i."key", 1, ${length}) = ${key})))`
}

const isMemberOf = (group: string): Fragment => sql`
  EXISTS (SELECT 1 FROM "Membership" m WHERE m."userId" = u."id" AND m."groupName" = ${group})`

/** Makes the SELECTs of the ids that a search finds, each by an index. */
const foundIds = ({ key, id }: Search): [Fragment, Fragment, Fragment] => [
  sql`SELECT i."userId" AS "id" FROM "Identifier" i
    WHERE i."key" >= ${key} AND i."key" < ${endOf(key)} AND (i."username" OR i."email")`,
  sql`SELECT d."id" FROM "User" d WHERE d."displayNameKey" >= ${key} AND d."displayNameKey" < ${endOf(key)}`,
  sql`SELECT o."id" FROM "User" o WHERE o."id" = ${id}`,
]

/** Finds the part of a selection that has few accounts, and makes the SELECT of their ids; null if no part has few. */
async function narrowSource(
  search: Search | null,
  group: string | undefined,
): Promise<{ by: 'search' | 'group'; ids: Fragment } | null> {
  if (group !== undefined) {
    const ids = sql`SELECT m."userId" AS "id" FROM "Membership" m WHERE m."groupName" = ${group}`
    if (await hasFew(ids)) return { by: 'group', ids }
  }
  if (search === null) return null
  const [names, displayNames, self] = foundIds(search)
  // UNION would sort all of them before it counts the first.
  if (await hasFew(sql`${names} UNION ALL ${displayNames} UNION ALL ${self}`))
    return { by: 'search', ids: sql`${names} UNION ${displayNames} UNION ${self}` }
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
    ...unindexedOf(filters),
  ]
  return (await readRows<SqlRow<'User', 'id'>>`SELECT u."id" FROM "User" u WHERE ${every(conditions)}`).map(
    ({ id }) => id,
  )
}
