import type { Database } from './client'
import type { Prisma } from './generated/sqlite/client'

export type Statement<T = unknown> = Prisma.PrismaPromise<T>

/** Statements by the names of their results: for each name one statement, several, or none. */
export type Statements = Record<string, Statement | readonly Statement[] | undefined>

type Result<T> = T extends readonly unknown[] ? { [K in keyof T]: Awaited<T[K]> } : Awaited<T>

export type Results<S extends Statements> = { [K in keyof S]: Result<S[K]> }

/**
 * Runs the statements as one transaction, in the order of their names in the object. Results have names, so that one more
 * statement shifts none of them. Use no integer as a name: objects list integers first.
 *
 * @param guards run first; the transaction fails if one of them does
 */
export async function transaction<S extends Statements>(
  db: Database,
  statements: S,
  guards: readonly Statement[] = [],
): Promise<Results<S>> {
  const named = Object.entries(statements).flatMap(([name, own]) => (own ? [{ name, own }] : []))
  const results: unknown[] = await db.$transaction([...guards, ...named.flatMap(({ own }) => own)])
  const rest = results.slice(guards.length)
  const take = (own: Statement | readonly Statement[]) =>
    Array.isArray(own) ? rest.splice(0, own.length) : rest.shift()
  return Object.fromEntries(named.map(({ name, own }) => [name, take(own)])) as Results<S>
}
