import { randomBytes } from 'node:crypto'
import { ApiError } from '@/lib/api/errors'
import { administrators } from '@/lib/api/names'
import { type Area, areas as allAreas, millisecondsOf, type OperatorKey } from '@/lib/api/schemas'
import { type Database, database } from '@/lib/database/client'
import { isConflict } from '@/lib/database/errors'
import { type Fragment, readRows, type SqlInteger, type SqlRow, statement, unflushed } from '@/lib/database/sql'
import { afterResponse } from '@/lib/process/work'
import { writeToAdministrators } from '../events/letters'
import { logChange } from '../events/operators-log'
import type { RequestContext } from '../request'
import { consumeAddressAttempt, consumeAttempt } from '../throttling/attempts'
import { isoOfMilliseconds, minuteMilliseconds } from '../time'
import { digestOf } from '../tokens/tokens'
import { keyOperator, type Operator } from './operator'

/** Lets secret scanners find a published key, and tells a key from a session token. */
const prefix = 'lko_'

export const isOperatorKey = (token: string | null): token is string => token?.startsWith(prefix) ?? false

const defaultLifetime = '90d'

type KeyRow = Omit<SqlRow<'OperatorKey'>, 'digest'>

const timeOrNull = (time: SqlInteger | null) => (time === null ? null : isoOfMilliseconds(time))

const areasOf = ({ areas }: Pick<KeyRow, 'areas'>) => areas.split(' ') as Area[]

const describe = (row: KeyRow): OperatorKey => ({
  name: row.name,
  areas: areasOf(row),
  readOnly: Boolean(row.readOnly),
  createdAt: isoOfMilliseconds(row.createdAt),
  expiresAt: timeOrNull(row.expiresAt),
  lastUsedAt: timeOrNull(row.lastUsedAt),
  by: row.madeBy,
})

interface NewKey {
  name: string
  areas: readonly (Area | 'all')[]
  readOnly?: boolean | undefined
  expires?: string | undefined
}

/** @returns the key, of which only a digest is stored @throws ApiError invalid_request if another has the name */
export async function addKey(operator: Operator, { name, areas, readOnly = false, expires = defaultLifetime }: NewKey) {
  const secret = `${prefix}${randomBytes(32).toString('base64url')}`
  const now = Date.now()
  const chosen = allAreas.filter((area) => areas.includes(area) || (area !== 'trust' && areas.includes('all')))
  const row = {
    name,
    areas: chosen.join(' '),
    readOnly,
    createdAt: BigInt(now),
    expiresAt: expires === 'never' ? null : BigInt(now + millisecondsOf(expires)),
    lastUsedAt: null,
    // A command has no account, and its keys end by themselves.
    madeBy: operator.kind === 'administrator' ? operator.by : null,
  }
  const db = await database()
  await db.operatorKey.create({ data: { ...row, digest: digestOf(secret) } }).catch((cause: unknown) => {
    throw isConflict(cause) ? new ApiError('invalid_request', { cause, fields: { name: { key: 'key_taken' } } }) : cause
  })
  await logChange(operator, 'key_added', { key: name })
  await writeToAdministrators('key_added', operator.context, { key: name })
  return { key: describe(row), secret }
}

/** Lists keys by name. Those that have expired stay until they are deleted, so that their names tell what has stopped. */
export async function listKeys() {
  const db = await database()
  return { keys: (await db.operatorKey.findMany({ orderBy: { name: 'asc' } })).map(describe) }
}

/** @throws ApiError not_found */
export async function deleteKey(operator: Operator, name: string): Promise<OperatorKey> {
  const db = await database()
  const row = await db.operatorKey.findUnique({ where: { name } })
  const { count } = await db.operatorKey.deleteMany({ where: { name } })
  if (!row || count === 0) throw new ApiError('not_found')
  await logChange(operator, 'key_deleted', { key: name })
  return describe(row)
}

/** Makes the statement that ends the keys which these accounts made. @param ids values or a SELECT of ids */
export const endOfKeys = (db: Database, ids: Fragment) =>
  statement(db)`DELETE FROM "OperatorKey" WHERE "madeBy" IN (${ids})`

/** Counts only wrong keys, by address, so a right one is never rejected for them. @throws ApiError authentication_failed */
export async function findKey(token: string, context: RequestContext): Promise<Operator> {
  const now = Date.now()
  const [row] = await readRows<KeyRow>`
    SELECT k."name", k."areas", k."readOnly", k."createdAt", k."expiresAt", k."lastUsedAt", k."madeBy" FROM "OperatorKey" k
    WHERE k."digest" = ${digestOf(token)} AND (k."expiresAt" IS NULL OR k."expiresAt" > ${BigInt(now)})
      AND (k."madeBy" IS NULL OR EXISTS (
        SELECT 1 FROM "User" u JOIN "Membership" m ON m."userId" = u."id" AND m."groupName" = ${administrators}
        WHERE u."id" = k."madeBy" AND NOT u."disabled"))`
  if (!row) {
    await consumeAddressAttempt('address', context.address)
    throw new ApiError('authentication_failed')
  }
  await consumeAttempt('operator-key', row.name)
  recordUse(row, now)
  return keyOperator(row.name, { areas: areasOf(row), readOnly: Boolean(row.readOnly), madeBy: row.madeBy }, context)
}

function recordUse({ name, lastUsedAt }: KeyRow, now: number): void {
  const minute = BigInt(now - (now % minuteMilliseconds))
  if (lastUsedAt !== null && BigInt(lastUsedAt) >= minute) return
  afterResponse(() => unflushed.changes`UPDATE "OperatorKey" SET "lastUsedAt" = ${minute} WHERE "name" = ${name}`)
}
