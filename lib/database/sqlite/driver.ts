import type { DatabaseSync, DatabaseSyncInstance } from '@photostructure/sqlite'
import {
  type ArgType,
  type ColumnType,
  ColumnTypeEnum,
  DriverAdapterError,
  type MappedError,
  type SqlResultSet,
} from '@prisma/driver-adapter-utils'
import { type DriverCause, memoize } from '../dialect'

/** The types that the migrations declare. */
const declaredTypes: Readonly<Record<string, ColumnType>> = {
  TEXT: ColumnTypeEnum.Text,
  INTEGER: ColumnTypeEnum.Int32,
  BIGINT: ColumnTypeEnum.Int64,
  BOOLEAN: ColumnTypeEnum.Boolean,
  DATETIME: ColumnTypeEnum.DateTime,
  BLOB: ColumnTypeEnum.Bytes,
}

/** Null for an expression or an unknown type. */
const columnType = (declared: string | null): ColumnType | null => declaredTypes[declared?.toUpperCase() ?? ''] ?? null

/** Converts rows in place. */
export function toResultSet(columns: { names: string[]; types: (ColumnType | null)[] }, rows: unknown[][]) {
  const columnTypes = columns.types.map((type, index) => type ?? inferType(rows, index))
  for (const row of rows)
    for (let index = 0; index < row.length; index++) row[index] = toResult(row[index], columnTypes[index])
  return { columnNames: columns.names, columnTypes, rows: rows as SqlResultSet['rows'] }
}

function inferType(rows: unknown[][], index: number): ColumnType {
  const value = rows.find((row) => row[index] !== null)?.[index]
  if (typeof value === 'string') return ColumnTypeEnum.Text
  if (typeof value === 'bigint') return ColumnTypeEnum.Int64
  if (typeof value === 'number') return ColumnTypeEnum.UnknownNumber
  if (value instanceof Uint8Array) return ColumnTypeEnum.Bytes
  return ColumnTypeEnum.Int32
}

function toResult(value: unknown, type: ColumnType | undefined) {
  if (typeof value !== 'bigint' && typeof value !== 'number') return value
  // SQLite stores any type in any column: CURRENT_TIMESTAMP is text, times in Prisma's history are milliseconds.
  if (type === ColumnTypeEnum.DateTime) return new Date(Number(value)).toISOString()
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : value.toString()
  return type === ColumnTypeEnum.Int32 || type === ColumnTypeEnum.Int64 ? Math.trunc(value) : value
}

export function toSqlite(arg: unknown, type: ArgType | undefined): unknown {
  if (typeof arg === 'boolean') return arg ? 1 : 0
  if (arg instanceof Date) return storedTime(arg)
  if (typeof arg !== 'string') return arg
  switch (type?.scalarType) {
    case 'int':
      return Number.parseInt(arg, 10)
    case 'bigint':
      return BigInt(arg)
    case 'datetime':
      return storedTime(new Date(arg))
    case 'bytes':
      return Buffer.from(arg, 'base64')
    default:
      return arg
  }
}

const storedTime = (time: Date) => time.toISOString().replace('Z', '+00:00')

/** https://www.sqlite.org/rescode.html */
export const resultCodes = {
  busy: 5,
  readOnly: 8,
  ioError: 10,
  corrupt: 11,
  full: 13,
  cannotOpen: 14,
  notADatabase: 26,
  foreignKeyConstraint: 787,
  ioErrorOfFsync: 1034,
  notNullConstraint: 1299,
  primaryKeyConstraint: 1555,
  triggerConstraint: 1811,
  uniqueConstraint: 2067,
} as const

/** Takes the low byte of an extended code. */
export const primaryCode = (code: number): number => code & 0xff

/** Maps an error of node:sqlite to Prisma's form; returns any other error unchanged. */
export function toDriverError(error: unknown): unknown {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number') return error
  return new DriverAdapterError({ ...mapped(error.errcode, error.message), originalMessage: error.message })
}

function mapped(code: number, message: string): MappedError {
  // "UNIQUE constraint failed: User.id, User.name"
  const columns = message.split('constraint failed: ')[1]?.split(', ') ?? []
  const constraint = { fields: columns.map((column) => column.slice(column.indexOf('.') + 1)) }
  switch (code) {
    case resultCodes.uniqueConstraint:
    case resultCodes.primaryKeyConstraint: {
      const table = columns[0]?.split('.')[0]
      return { kind: 'UniqueConstraintViolation', constraint, ...(table !== undefined && { table }) }
    }
    case resultCodes.notNullConstraint:
      return { kind: 'NullConstraintViolation', constraint }
    case resultCodes.foreignKeyConstraint:
    case resultCodes.triggerConstraint:
      return { kind: 'ForeignKeyConstraintViolation', constraint: { foreignKey: {} } }
  }
  if (primaryCode(code) === resultCodes.busy) return { kind: 'SocketTimeout' }
  const [, table] = /^no such table: (.+)$/.exec(message) ?? []
  if (table !== undefined) return { kind: 'TableDoesNotExist', table }
  return { kind: 'sqlite', extendedCode: code, message }
}

const diskCodes: number[] = [resultCodes.readOnly, resultCodes.ioError, resultCodes.full, resultCodes.cannotOpen]

/** True if the disk has failed or takes no writes. A lock that somebody holds too long has one of Prisma's kinds. */
export const isUnavailable = ({ kind, extendedCode }: DriverCause): boolean =>
  kind === 'sqlite' && diskCodes.includes(primaryCode(Number(extendedCode)))

/** Latchkey has fewer statements. */
const maxStatements = 200

export interface SqliteStatement {
  /** A type is null where only the values show it. */
  columns: { names: string[]; types: (ColumnType | null)[] }
  all(args: unknown[]): unknown[][]
  /** @returns the number of changed rows */
  run(args: unknown[]): number
}

export type Prepare = (sql: string) => SqliteStatement

/** Keeps prepared statements, because compiling takes a third of a session check. SQLite recompiles after a schema change. */
export const preparedStatements = (database: DatabaseSyncInstance): Prepare =>
  memoize(maxStatements, (sql) => compile(database, sql))

function compile(database: DatabaseSyncInstance, sql: string): SqliteStatement {
  const statement = database.prepare(sql)
  const columns = statement.columns()
  // A number cannot hold every 64-bit integer.
  statement.setReadBigInts(true)
  statement.setReturnArrays(true)
  return {
    columns: { names: columns.map(({ name }) => name), types: columns.map(({ type }) => columnType(type)) },
    all: (args) => statement.all(...(args as never[])) as unknown as unknown[][],
    run: (args) => Number(statement.run(...(args as never[])).changes),
  }
}

/** @photostructure/sqlite implements the API of node:sqlite. */
type Driver = { DatabaseSync: typeof DatabaseSync }

/** Uses Node's own driver, or @photostructure/sqlite on a Node without one. */
export async function openDatabase(path: string, timeout: number): Promise<DatabaseSyncInstance> {
  const driver = await loadDriver()
  return new driver.DatabaseSync(path, { timeout })
}

/** Loads the driver and checks it, so that a broken one stops the start instead of failing at the first request. */
async function loadDriver(): Promise<Driver> {
  try {
    const driver = nodeSqlite() ?? (await import('@photostructure/sqlite'))
    checkDriver(driver)
    return driver
  } catch (cause) {
    // On a platform without a binary, the other lines say where one was looked for.
    const [reason] = String(cause instanceof Error ? cause.message : cause).split('\n')
    const advice = 'Install Latchkey again, or use Node 22.16 or later, which has a driver of its own.'
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
