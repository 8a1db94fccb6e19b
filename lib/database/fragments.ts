import type { Client, Template } from './dialect'

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
export function composed(template: Template, parts: unknown[]): Fragment {
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

/** Makes a statement of a transaction. */
export const statement = (db: Pick<Client, '$executeRaw'>, { texts, values }: Fragment) =>
  db.$executeRaw(Object.assign([...texts], { raw: texts }), ...values)

/*
 * SQL that makes JSON text, for which the databases have no function in common. Ids, usernames, e-mail addresses and names of
 * groups have nothing to escape.
 */

/** Escapes a display name, which has no control characters. */
export const jsonEscaped = (text: Fragment): Fragment => sql`
  replace(replace(${text}, '\\', '\\\\'), '"', '\\"')`

export const jsonText = (text: Fragment): Fragment => sql`'"' || ${text} || '"'`

export const jsonTextOrNull = (text: Fragment): Fragment => sql`COALESCE(${jsonText(text)}, 'null')`

/** Escapes a value from outside the database if need be. */
export const jsonOf = (text: string | null): Fragment => sql`CAST(${JSON.stringify(text)} AS TEXT)`

/** @param rows a SELECT of `text` */
export const jsonArray = (rows: Fragment): Fragment => sql`
  '[' || COALESCE((SELECT '"' || string_agg(n."text", '","') || '"' FROM (${rows}) n), '') || ']'`

/** @param members by name, the JSON text of each */
export function jsonObject(members: Record<string, Fragment>): Fragment {
  const [first, ...rest] = Object.entries(members).map(([name, json]) => sql`${JSON.stringify(name)} || ':' || ${json}`)
  return sql`'{' || ${rest.reduce((text, member) => sql`${text} || ',' || ${member}`, first ?? sql`''`)} || '}'`
}
