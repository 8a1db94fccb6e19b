import type { DatabaseSync, DatabaseSyncInstance } from '@photostructure/sqlite'

/** The API of node:sqlite, which @photostructure/sqlite shares: one adapter serves both. */
type Driver = { DatabaseSync: typeof DatabaseSync }

/**
 * Opens an SQLite database with Node's own driver, or with @photostructure/sqlite on a Node that has none.
 *
 * @param path a file, which is created when missing, or `:memory:`
 * @param timeout milliseconds that a statement waits for another process's lock
 */
export async function openDatabase(path: string, timeout: number): Promise<DatabaseSyncInstance> {
  const driver = nodeSqlite() ?? (await import('@photostructure/sqlite'))
  return new driver.DatabaseSync(path, { timeout })
}

/** Node's own driver from 22.16 on: earlier ones lack `columns()`, and Node 20 has none. */
function nodeSqlite(): Driver | undefined {
  const driver = withoutExperimentalWarning(() => process.getBuiltinModule?.('node:sqlite') as NodeSqlite | undefined)
  return driver && 'columns' in driver.StatementSync.prototype ? driver : undefined
}

type NodeSqlite = Driver & { StatementSync: { prototype: object } }

/** Node 22 and 24 warn when node:sqlite is first loaded. Operators can do nothing about it, and every other warning passes. */
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
