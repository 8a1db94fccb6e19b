import type { Client } from './dialect/dialect'

/** A part of a raw statement: the texts before, between and after its values. */
export interface Fragment {
  readonly texts: readonly string[]
  readonly values: readonly unknown[]
}

/**
 * A part of a statement that is put together of several. Unlike Prisma's own, it fits a client of another copy of Prisma's
 * classes, of which a process has several.
 */
export function sql(texts: readonly string[], ...parts: unknown[]): Fragment {
  const out = { texts: [texts[0] ?? ''], values: [] as unknown[] }
  const append = (text: string) => out.texts.push(`${out.texts.pop()}${text}`)
  for (const [index, part] of parts.entries()) {
    const next = texts[index + 1] ?? ''
    if (isFragment(part)) {
      append(part.texts[0] ?? '')
      out.texts.push(...part.texts.slice(1))
      out.values.push(...part.values)
      append(next)
    } else {
      out.values.push(part)
      out.texts.push(next)
    }
  }
  return out
}

const isFragment = (part: unknown): part is Fragment => typeof part === 'object' && part !== null && 'texts' in part

/** The values separated by commas: at least one. */
export const list = (values: readonly unknown[]): Fragment =>
  sql(['', ...values.slice(1).map(() => ', '), ''], ...values)

/** A statement of a batch. */
export const statement = (db: Pick<Client, '$executeRaw'>, { texts, values }: Fragment) =>
  db.$executeRaw(Object.assign([...texts], { raw: texts }), ...values)
