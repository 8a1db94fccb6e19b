import { type ArgType, ColumnTypeEnum, type SqlResultSet } from '@prisma/driver-adapter-utils'
import { connection } from './client'
import type { Client, Connection, FlushableQuery, Template } from './dialect'
import type { Prisma } from './generated/sqlite/client'

/*
 * Raw SQL, as tagged templates whose values are parameters: first the functions that run a statement, then the parts of which
 * statements are made. Which of the ways to the database to take:
 *
 * - Prisma's client, `(await database()).user.findUnique(…)`, wherever it can say what is meant and not every request runs it:
 *   its types know the columns, and its errors the table (`isConflict(error, 'Identifier')`).
 * - `readRows`, for reads of every request or sign-in, which take a fraction of the time, and what Prisma cannot say.
 * - `flushed.changes`, and `flushed.rows` with RETURNING, for one write that decides something: a condition and its change in one
 *   statement need no lock. `unflushed` for the same where a power cut may undo it.
 * - `transaction(db, {…})`, for several writes that stand or fall together: statements of Prisma's client, and of the tag
 *   `statement(db)` for the rest. Functions that only build one take `db` and return it.
 */

/** A boolean, which SQLite returns as a number. */
export type SqlBoolean = boolean | number | bigint

/** An integer of 64 bits: `Number()` or `BigInt()` reads any of these. */
export type SqlInteger = number | bigint | string

/** A time: ISO 8601 in UTC, or a `Date` from Prisma's client. */
export type SqlTime = Date | string

type Models = Prisma.TypeMap['model']
type Columns<M extends keyof Models> = Models[M]['payload']['scalars']
type SqlValue<T> = T extends boolean ? SqlBoolean : T extends bigint ? SqlInteger : T extends Date ? SqlTime : T

/**
 * Columns of a table's row, as `readRows` returns them: `SqlRow<'Code', 'id' | 'scopes'>`. Rows of Prisma's client fit, too.
 * The names come from the schema, so that a renamed column fails to compile beside the statement that reads it.
 */
export type SqlRow<M extends keyof Models, C extends keyof Columns<M> = keyof Columns<M>> = {
  [K in C]: SqlValue<Columns<M>[K]>
}

/** The columns of a table that a LEFT JOIN adds. */
export type LeftJoined<Row> = { [K in keyof Row]: Row[K] | null }

/** The values may be fragments. */
export interface DirectSql {
  /** `Row` is made of `SqlRow`, and of what the statement computes. */
  rows<Row>(template: Template, ...values: unknown[]): Promise<Row[]>
  changes(template: Template, ...values: unknown[]): Promise<number>
}

/** Runs statements that must survive a power cut before anybody gets a response. */
export const flushed = directSql(connection, true)

/** Runs writes that a power cut may lose. */
export const unflushed = directSql(connection, false)

export const readRows = flushed.rows

/**
 * Waits until the disk has all that readers see. Call it before an answer that something is gone: while the disk fails, a row
 * can be gone for readers alone.
 */
export const flushReads = () => flushed.changes`DELETE FROM "App" WHERE FALSE`

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
  // The source has one array for each template, and `sql` one for each composition, so each text is built once.
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

/**
 * A part of a raw statement: the texts before, between and after its values. A class, so that no object parsed from a request
 * passes for one.
 */
export class Fragment {
  readonly texts: Template
  readonly values: readonly unknown[]

  constructor(texts: Template, values: readonly unknown[]) {
    this.texts = texts
    this.values = values
  }
}

/**
 * The tag for parts of a statement, which may contain others. Unlike Prisma's own, it works with every copy of Prisma's
 * classes, of which a process has several.
 */
export const sql = (template: Template, ...parts: unknown[]): Fragment => composed(template, parts)

/** Composes like `sql`, for a function that is itself a tag, such as those of `directSql()`. */
function composed(template: Template, parts: unknown[]): Fragment {
  if (!parts.some((part) => part instanceof Fragment)) return new Fragment(template, parts)
  const values: unknown[] = []
  for (const part of parts) {
    if (part instanceof Fragment) values.push(...part.values)
    else values.push(part)
  }
  return new Fragment(textsOf(template, parts), values)
}

interface Composition {
  inner: (Template | null)[]
  texts: Template
}

/** The latest compositions of each template, newest first. */
const compositions = new WeakMap<Template, Composition[]>()
/**
 * Remembers few compositions of a template: most alternate between a few parts, and one with new parts each time must not fill
 * the memory.
 */
const maxCompositions = 8

const textsIn = (part: unknown) => (part instanceof Fragment ? part.texts : null)

/** Returns the same array for the same parts, since `directSql` builds a statement's text once for each array. */
function textsOf(template: Template, parts: unknown[]): Template {
  const inner = parts.map(textsIn)
  const known = compositions.get(template) ?? []
  const same = known.find((composition) => composition.inner.every((texts, index) => texts === inner[index]))
  if (same) return same.texts
  const texts = joinTexts(template, inner)
  compositions.set(template, [{ inner, texts }, ...known].slice(0, maxCompositions))
  return texts
}

function joinTexts(template: Template, inner: (Template | null)[]): Template {
  const texts = [template[0] ?? '']
  const append = (text: string) => texts.push(`${texts.pop()}${text}`)
  for (const [index, part] of inner.entries()) {
    const next = template[index + 1] ?? ''
    if (part === null) texts.push(next)
    else {
      append(part[0] ?? '')
      texts.push(...part.slice(1))
      append(next)
    }
  }
  return texts
}

/** Makes a list of text values for `IN (…)` and `NOT IN (…)`. */
export const list = (values: readonly unknown[]): Fragment =>
  values.length === 0 ? none : sql(['', ...values.slice(1).map(() => ', '), ''], ...values)

/** PostgreSQL has no empty list, and with NULL in a list NOT IN is never true. */
const none = sql`SELECT NULL WHERE FALSE`

/** Puts a fragment between two texts of a dialect. */
export const enclosed = (texts: readonly [before: string, after: string], inner: Fragment): Fragment =>
  sql(texts, inner)

/**
 * A condition: the word is one of a column whose text joins words by spaces. REPLACE finds it as it is: LIKE would take `_` for
 * any letter, and on SQLite `Notes` for `notes`.
 *
 * @param word a value, or a column
 */
export const hasWord = (column: Fragment, word: string | Fragment): Fragment =>
  sql`(REPLACE(${spaced(column)}, ${typeof word === 'string' ? ` ${word} ` : spaced(word)}, '') <> ${spaced(column)})`

/** Makes the text of such a column without the words. */
export const withoutWords = (column: Fragment, words: readonly string[]): Fragment =>
  sql`TRIM(${words.reduce((text, word) => sql`REPLACE(${text}, ${` ${word} `}, ' ')`, spaced(column))})`

const spaced = (text: Fragment): Fragment => sql`' ' || ${text} || ' '`

/**
 * Tags a raw statement of a transaction: `statement(db)\`DELETE …\``. Its parts may be fragments, of which Prisma's own tag
 * knows nothing.
 */
export const statement =
  (db: Pick<Client, '$executeRaw'>) =>
  (template: Template, ...parts: unknown[]) => {
    const { texts, values } = composed(template, parts)
    return db.$executeRaw(Object.assign([...texts], { raw: texts }), ...values)
  }

/**
 * Makes a statement that fails its transaction, with an error for `isConflict`, if the condition holds. It inserts one key twice,
 * since the databases have no other way in common to fail.
 */
export const failIf = (db: Pick<Client, '$executeRaw'>, condition: Fragment) =>
  statement(db)`INSERT INTO "Group" ("name") SELECT '' FROM (SELECT 1 UNION ALL SELECT 1) twice WHERE ${condition}`
