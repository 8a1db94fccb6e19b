// Given to Node with --import: writes each SQL statement that the SQLite driver prepares to STATEMENTS_FILE, as JSON lines.
import { appendFileSync } from 'node:fs'
import { register } from 'node:module'

/** @param {string} sql */
export const record = (sql) => appendFileSync(process.env.STATEMENTS_FILE ?? '', `${JSON.stringify(sql)}\n`)

/** @param {{ DatabaseSync: { prototype: { prepare: (sql: string) => unknown } } }} driver */
function watch({ DatabaseSync }) {
  const { prepare } = DatabaseSync.prototype
  DatabaseSync.prototype.prepare = function (sql) {
    record(sql)
    return prepare.call(this, sql)
  }
}

const driver = process.getBuiltinModule?.('node:sqlite')
if (driver) watch(/** @type {Parameters<typeof watch>[0]} */ (/** @type {unknown} */ (driver)))
// The methods of the other driver cannot be replaced, so that a subclass takes its place.
register('./recording-hooks.mjs', import.meta.url)
