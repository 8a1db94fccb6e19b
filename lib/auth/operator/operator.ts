import { randomBytes, randomUUID } from 'node:crypto'
import { ApiError } from '@/lib/api/errors'
import type { Area, LogEntry } from '@/lib/api/schemas'
import { type Database, database } from '@/lib/database/client'
import { readRows, type SqlInteger, sql } from '@/lib/database/sql'
import { deliverSoon } from '@/lib/delivery/delivering'
import { bestEffort } from '@/lib/process/after-response'
import { pageOf, parseCursor } from '../audit/cursor'
import { type ActionType, recordEvent } from '../audit/events'
import { logSecurityEvent, type SecurityEvent, type Subject } from '../audit/security-log'
import type { EventContext } from '../request'
import { isoOfMilliseconds } from '../time'

declare const authorized: unique symbol

interface Acting {
  /** The administrator's id, or `key:` and the key's name; null for a command, which has the database anyway */
  readonly by: string | null
  readonly context: EventContext
  /** Only the functions of this file make an operator, so an endpoint that admits nobody has none to act as. */
  readonly [authorized]: true
}

/** Who changes what belongs to others. */
export type Operator = Acting &
  (
    | { readonly kind: 'command' }
    | { readonly kind: 'administrator'; readonly hasSteppedUp: boolean }
    | {
        readonly kind: 'key'
        readonly areas: readonly Area[]
        readonly readOnly: boolean
        readonly madeBy: string | null
      }
  )

/** Makes the operator of a command beside the database. All log lines of one share a request id. */
export const commandOperator = (): Operator =>
  ({ kind: 'command', by: null, context: { address: null, userAgent: null, requestId: randomUUID() } }) as Operator

/** Makes the operator of a session whose right the caller has checked. */
export const administratorOperator = (id: string, hasSteppedUp: boolean, context: EventContext): Operator =>
  ({ kind: 'administrator', by: id, hasSteppedUp, context }) as Operator

/** Makes the operator of a program with a key that the caller has found. */
export const keyOperator = (
  name: string,
  rights: { areas: readonly Area[]; readOnly: boolean; madeBy: string | null },
  context: EventContext,
): Operator => ({ kind: 'key', by: `key:${name}`, ...rights, context }) as Operator

/**
 * The administrator on whose rights this operator's invitations, codes and keys depend; for a key, its maker. Null for a command
 * and its keys.
 */
export const makerOf = (operator: Operator): string | null =>
  operator.kind === 'key' ? operator.madeBy : operator.kind === 'administrator' ? operator.by : null

/** Requires an area of a key, where it depends on the request. @throws ApiError not_allowed */
export function requireArea(operator: Operator, area: Area): void {
  if (operator.kind === 'key' && !operator.areas.includes(area)) throw new ApiError('not_allowed')
}

/** @throws ApiError not_allowed for a key that only reads, reauthentication_required for a session without its step-up */
export function requireWrite(operator: Operator): void {
  if (operator.kind === 'key' && operator.readOnly) throw new ApiError('not_allowed')
  if (operator.kind === 'administrator' && !operator.hasSteppedUp) throw new ApiError('reauthentication_required')
}

/** What a change was about; `count` is how many accounts a command went through. */
interface About extends Pick<Subject, 'app' | 'count' | 'key'> {
  account?: string
  group?: string
}

/**
 * Records a change of the account for its owner, in the security log and in the operators' log.
 *
 * @param entry what the operators' log says of it
 */
export async function recordChange(
  operator: Operator,
  what: ActionType,
  about: About & { account: string },
  entry: string = what,
) {
  deliverChange(operator)
  await recordEvent(about.account, what, operator.context, byOperator(operator))
  await insertEntry(await database(), operator, entry, about)
}

/** Says how an event came about that its owner sees. */
export const byOperator = ({ by }: Operator) => ({ method: 'operator', by }) as const

/** Logs a change that no owner sees. */
export async function logChange(operator: Operator, what: SecurityEvent, about: About = {}) {
  deliverChange(operator)
  writeLine(operator, what, about)
  await insertEntry(await database(), operator, what, about)
}

/** A command sends nothing: a running server finds what it has put into the outbox. */
const deliverChange = ({ kind }: Operator) => void (kind !== 'command' && deliverSoon())

export const writeLine = (operator: Operator, what: SecurityEvent, { group: _, ...subject }: About) =>
  logSecurityEvent(what, operator.context, { ...subject, method: 'operator', by: operator.by })

/** Makes a row of the operators' log. */
export const entryOf = ({ by }: Operator, what: string, { account, app, group }: About) => ({
  id: randomBytes(16).toString('base64url'),
  at: BigInt(Date.now()),
  by,
  what,
  account: account ?? null,
  app: app ?? null,
  group: group ?? null,
})

/** Never throws: the change has already been made. */
export const insertEntry = (db: Database, operator: Operator, what: string, about: About) =>
  bestEffort(
    () => db.operatorLog.create({ data: entryOf(operator, what, about), select: { id: true } }),
    'could not record what an operator did',
    { type: what },
  )

interface LogRow extends Omit<LogEntry, 'at'> {
  id: string
  at: SqlInteger
}

interface LogPage {
  after?: string | undefined
  limit?: number | undefined
  by?: string | undefined
  account?: string | undefined
  app?: string | undefined
}

/** Lists what operators did, newest first. @throws ApiError invalid_request if `after` is not of this query */
export async function readLog({ after, limit = 50, by, account, app }: LogPage) {
  const scope = JSON.stringify(['log', by, account, app])
  const { at, id } = parseCursor(after, { scope, field: 'after' })
  const rows = await readRows<LogRow>`
    SELECT "id", "at", "by", "what", "account", "app", "group" FROM "OperatorLog"
    WHERE ("at", "id") < (${at}, ${id})
      AND ${by === undefined ? sql`TRUE` : sql`"by" = ${by}`}
      AND ${account === undefined ? sql`TRUE` : sql`"account" = ${account}`}
      AND ${app === undefined ? sql`TRUE` : sql`"app" = ${app}`}
    ORDER BY "at" DESC, "id" DESC LIMIT ${limit + 1}`
  const { page, next } = pageOf(rows, limit, scope)
  const log: LogEntry[] = page.map((row) => ({
    at: isoOfMilliseconds(row.at),
    by: row.by,
    what: row.what,
    account: row.account,
    app: row.app,
    group: row.group,
  }))
  const ids = new Set(log.flatMap(({ by, account }) => [by, account]).filter((id) => id !== null))
  return { log, usernames: await namesOfAccounts([...ids]), after: next }
}

async function namesOfAccounts(ids: string[]): Promise<Record<string, string>> {
  const db = await database()
  const users = await db.user.findMany({ where: { id: { in: ids } }, select: { id: true, username: true } })
  return Object.fromEntries(users.map(({ id, username }) => [id, username]))
}
