import { type ArgType, ColumnTypeEnum, type SqlResultSet } from '@prisma/driver-adapter-utils'
import { connection } from './client'
import type { Connection, FlushableQuery, Template } from './dialect'
import { composed } from './fragments'

/** A boolean, which SQLite returns as a number. */
export type SqlBoolean = boolean | number | bigint

/** An integer of 64 bits: `Number()` or `BigInt()` reads any of these. */
export type SqlInteger = number | bigint | string

/** The values may be fragments. */
export interface DirectSql {
  /** Booleans come as `SqlBoolean`, integers of 64 bits as `SqlInteger`, times as ISO 8601 in UTC. */
  rows<Row>(template: Template, ...values: unknown[]): Promise<Row[]>
  changes(template: Template, ...values: unknown[]): Promise<number>
}

/** Adapters use it only to convert text to other types. */
const argType: ArgType = { scalarType: 'string', arity: 'scalar' }

/**
 * Sends raw statements straight to the driver adapter, in order with those of Prisma's client. Every request and sign-in runs
 * these, and Prisma's interpreter takes several times as long. Errors are `DriverAdapterError`.
 *
 * @param flushed false for writes that a power cut may lose: the embedded database then does not wait for the disk. A later
 *   flushed statement also flushes everything before it.
 */
export function directSql(open: () => Promise<Pick<Connection, 'adapter' | 'textOf'>>, flushed: boolean): DirectSql {
  // The source has one array per template, and `sql` one per composition, so each text is built once.
  const texts = new WeakMap<Template, string>()
  function queryOf(textOf: Connection['textOf'], template: Template, parts: unknown[]): FlushableQuery {
    const whole = composed(template, parts)
    const known = texts.get(whole.texts)
    const text = known ?? textOf(whole.texts)
    if (known === undefined) texts.set(whole.texts, text)
    return { sql: text, args: [...whole.values], argTypes: whole.values.map(() => argType), flushed }
  }
  return {
    async rows<Row>(template: Template, ...values: unknown[]) {
      const { adapter, textOf } = await open()
      return toObjects<Row>(await adapter.queryRaw(queryOf(textOf, template, values)))
    },
    async changes(template, ...values) {
      const { adapter, textOf } = await open()
      return adapter.executeRaw(queryOf(textOf, template, values))
    },
  }
}

export const flushed = directSql(connection, true)

export const readRows = flushed.rows

/**
 * Waits until the disk has all that readers see. Call it before an answer that something is gone: while the disk fails, a row
 * can be gone for readers alone.
 */
export const flushReads = () => flushed.changes`DELETE FROM "App" WHERE FALSE`

/** Runs writes that a power cut may lose. */
export const unflushed = directSql(connection, false)

function toObjects<Row>({ rows, columnNames, columnTypes }: SqlResultSet): Row[] {
  return rows.map((row) => {
    const object: Record<string, unknown> = {}
    for (let index = 0; index < columnNames.length; index++) {
      const value = row[index]
      const isTime = columnTypes[index] === ColumnTypeEnum.DateTime && value !== null
      object[columnNames[index] as string] = isTime ? toIsoTime(value as string) : value
    }
    return object as Row
  })
}

/**
 * The form in which both databases store a time, unless another program wrote it. Creating a `Date` would take longer
 * than reading it.
 */
const storedForm = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00$/

const toIsoTime = (text: string) => (storedForm.test(text) ? `${text.slice(0, 23)}Z` : new Date(text).toISOString())
