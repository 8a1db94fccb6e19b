import type { DatabaseSync, DatabaseSyncInstance } from '@photostructure/sqlite'
import { preparedStatements } from './statements'

/** @photostructure/sqlite implements the API of node:sqlite. */
type Driver = { DatabaseSync: typeof DatabaseSync }

/** Uses Node's own driver, or @photostructure/sqlite on a Node without one. */
export async function openDatabase(path: string, timeout: number): Promise<DatabaseSyncInstance> {
  const driver = await loadDriver()
  return new driver.DatabaseSync(path, { timeout })
}

/** Also checks the driver, so that a broken one stops the start instead of failing at the first request. */
async function loadDriver(): Promise<Driver> {
  try {
    const driver = nodeSqlite() ?? (await import('@photostructure/sqlite'))
    checkDriver(driver)
    return driver
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : cause
    const advice = 'Install the dependencies again (npm ci), or use Node 22.16 or later.'
    throw new Error(`The SQLite driver does not work: ${reason}. ${advice}`, { cause })
  }
}

/** Runs a statement as the adapter does. @throws Error if the driver cannot */
export function checkDriver(driver: Driver): void {
  const database = new driver.DatabaseSync(':memory:')
  const { columns, all } = preparedStatements(database)('SELECT 1 AS "one"')
  const [row] = all([])
  database.close()
  if (columns.names[0] !== 'one' || row?.[0] !== 1n) throw new Error('it returns rows in an unexpected form')
}

/** Node's own driver. Before 22.16 it lacks `columns()`, and Node 20 has none. */
function nodeSqlite(): Driver | undefined {
  const driver = withoutExperimentalWarning(() => process.getBuiltinModule?.('node:sqlite') as NodeSqlite | undefined)
  return driver && 'columns' in driver.StatementSync.prototype ? driver : undefined
}

type NodeSqlite = Driver & { StatementSync: { prototype: object } }

/** Suppresses the warning of Node 22 and 24 on loading node:sqlite, which operators cannot act on. Other warnings pass. */
function withoutExperimentalWarning<T>(load: () => T): T {
  const { emitWarning } = process
  const filtered = (warning: string | Error, ...rest: unknown[]) => {
    if (!String(warning).startsWith('SQLite is an experimental feature'))
      Reflect.apply(emitWarning, process, [warning, ...rest])
  }
  process.emitWarning = filtered as typeof emitWarning
  try {
    return load()
  } finally {
    process.emitWarning = emitWarning
  }
}
