import { randomBytes } from 'node:crypto'
import type { LogEntry } from '@/lib/api/schemas'
import { type Database, database } from '@/lib/database/client'
import { readRows, type SqlRow, sql } from '@/lib/database/sql'
import { deliverSoon } from '@/lib/delivery/delivering'
import { bestEffort } from '@/lib/process/work'
import type { EventContext } from '../request'
import { isoOfMilliseconds } from '../time'
import { pageOf, parseCursor } from './cursor'
import { type ActionType, recordEvent } from './record'
import { logSecurityEvent, type SecurityEvent, type Subject } from './security-log'

/** Who changed what belongs to others. */
export interface Actor {
  readonly kind: 'command' | 'administrator' | 'key'
  /** The administrator's id, or `key:` and the key's name; null for a command, which has the database anyway */
  readonly by: string | null
  readonly context: EventContext
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
  actor: Actor,
  what: ActionType,
  about: About & { account: string },
  entry: string = what,
) {
  deliverChange(actor)
  await recordEvent(about.account, what, actor.context, byOperator(actor))
  await insertEntry(await database(), actor, entry, about)
}

/** Says how an event came about that its owner sees. */
export const byOperator = ({ by }: Actor) => ({ method: 'operator', by }) as const

/** Logs a change that no owner sees. */
export async function logChange(actor: Actor, what: SecurityEvent, about: About = {}) {
  deliverChange(actor)
  writeLine(actor, what, about)
  await insertEntry(await database(), actor, what, about)
}

/** A command sends nothing: a running server finds what it has put into the outbox. */
const deliverChange = ({ kind }: Actor) => void (kind !== 'command' && deliverSoon())

export const writeLine = (actor: Actor, what: SecurityEvent, { group: _, ...subject }: About) =>
  logSecurityEvent(what, actor.context, { ...subject, method: 'operator', by: actor.by })

/** Makes a row of the operators' log. */
export const entryOf = ({ by }: Actor, what: string, { account, app, group }: About) => ({
  id: randomBytes(16).toString('base64url'),
  at: BigInt(Date.now()),
  by,
  what,
  account: account ?? null,
  app: app ?? null,
  group: group ?? null,
})

/** Never throws: the change has already been made. */
export const insertEntry = (db: Database, actor: Actor, what: string, about: About) =>
  bestEffort(
    () => db.operatorLog.create({ data: entryOf(actor, what, about), select: { id: true } }),
    'could not record what an operator did',
    { type: what },
  )

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
  const rows = await readRows<SqlRow<'OperatorLog'>>`
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
