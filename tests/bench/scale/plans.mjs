// What the query plans of both databases are judged by.

/** Reads a table from end to end, and must be found whenever others are looked for. */
export const planted = `SELECT "id" FROM "Event" WHERE "browser" = 'planted'`

/**
 * Statements about migrations run at the start alone; one that stops at the first row reads no table to its end.
 *
 * @param {string} statement
 */
export const isExempt = (statement) =>
  /_prisma_migrations|sqlite_(master|schema)|pg_namespace/.test(statement) ||
  /^\s*SELECT 1 FROM \S+ LIMIT (1|\$1|\?)\s*$/.test(statement)

/** Tables that grow with what operators register, however many accounts there are. @param {string | undefined} table */
export const isOfOperators = (table) => table === 'App' || table === 'Group' || table === 'SigningKey'

/** Those found, once, without the planted one. @param {string[]} statements */
export function found(statements) {
  if (!statements.includes(planted)) throw new Error('The statement that reads a whole table was not found.')
  return [...new Set(statements)].filter((statement) => statement !== planted)
}
