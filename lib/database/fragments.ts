import type { Client, Template } from './dialect/dialect'

/**
 * A part of a raw statement: the texts before, between and after its values. A class, so that no object that a request
 * contains is taken for one.
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
 * A part of a statement that is put together of several. Unlike Prisma's own, it fits a client of another copy of Prisma's
 * classes, of which a process has several.
 */
export const sql = (template: Template, ...parts: unknown[]): Fragment => composed(template, parts)

/** `sql` for a function that is a template's tag itself, and has its texts and parts. */
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

/** By template: what it was put together to lately, the newest first. */
const known = new WeakMap<Template, Composition[]>()
/** A template takes a few parts in turn; one that takes others each time must not fill the memory. */
const maxCompositions = 8

const textsIn = (part: unknown) => (part instanceof Fragment ? part.texts : null)

/** The same array for the same parts, since `directSql` builds a statement's text once for each. */
function textsOf(template: Template, parts: unknown[]): Template {
  const lately = known.get(template) ?? []
  const same = lately.find((one) => one.inner.every((own, index) => own === textsIn(parts[index])))
  if (same) return same.texts
  const inner = parts.map(textsIn)
  const texts = joinTexts(template, inner)
  known.set(template, [{ inner, texts }, ...lately].slice(0, maxCompositions))
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

/** The values for `IN (…)` and `NOT IN (…)`, which match texts. */
export const list = (values: readonly unknown[]): Fragment =>
  values.length === 0 ? none : sql(['', ...values.slice(1).map(() => ', '), ''], ...values)

/** PostgreSQL has no empty list, and nothing is NOT IN one that has NULL. */
const none = sql`SELECT NULL WHERE FALSE`

/** A fragment between two texts of a dialect. */
export const enclosed = (texts: readonly [before: string, after: string], inner: Fragment): Fragment =>
  sql(texts, inner)

/** A statement of a transaction. */
export const statement = (db: Pick<Client, '$executeRaw'>, { texts, values }: Fragment) =>
  db.$executeRaw(Object.assign([...texts], { raw: texts }), ...values)
