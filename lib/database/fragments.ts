import type { Client } from './dialect/dialect'

/**
 * A part of a raw statement: the texts before, between and after its values. A class, so that no object that a request
 * contains is taken for one.
 */
export class Fragment {
  readonly texts: readonly string[]
  readonly values: readonly unknown[]

  constructor(texts: readonly string[], values: readonly unknown[]) {
    this.texts = texts
    this.values = values
  }
}

/**
 * A part of a statement that is put together of several. Unlike Prisma's own, it fits a client of another copy of Prisma's
 * classes, of which a process has several.
 */
export const sql = (template: readonly string[], ...parts: unknown[]): Fragment => composed(template, parts)

/** The same of a template's texts and what stands between them, for what is itself called as a template. */
export const composed = (template: readonly string[], parts: unknown[]): Fragment =>
  new Fragment(
    textsOf(
      template,
      parts.map((part) => (part instanceof Fragment ? part.texts : null)),
    ),
    parts.flatMap((part) => (part instanceof Fragment ? part.values : [part])),
  )

type Texts = Fragment['texts']

interface Composition {
  inner: (Texts | null)[]
  texts: Texts
}

/** By template: what it was put together to lately, the newest first. */
const known = new WeakMap<Texts, Composition[]>()
/** A template takes a few parts in turn; one that takes others each time must not fill the memory. */
const maxCompositions = 8

/** The same array for the same parts, since `directSql` builds a statement's text once for each. */
function textsOf(template: Texts, inner: (Texts | null)[]): Texts {
  if (inner.every((texts) => texts === null)) return template
  const lately = known.get(template) ?? []
  const same = lately.find((one) => one.inner.every((texts, index) => texts === inner[index]))
  if (same) return same.texts
  const texts = compose(template, inner)
  known.set(template, [{ inner, texts }, ...lately].slice(0, maxCompositions))
  return texts
}

function compose(template: Texts, inner: (Texts | null)[]): Texts {
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

/** The values separated by commas: at least one. */
export const list = (values: readonly unknown[]): Fragment =>
  sql(['', ...values.slice(1).map(() => ', '), ''], ...values)

/** A statement of a transaction. */
export const statement = (db: Pick<Client, '$executeRaw'>, { texts, values }: Fragment) =>
  db.$executeRaw(Object.assign([...texts], { raw: texts }), ...values)
