import { type ArgType, type ColumnType, ColumnTypeEnum, type SqlResultSet } from '@prisma/driver-adapter-utils'

/** As the migrations declare them. */
const declaredTypes: Readonly<Record<string, ColumnType>> = {
  TEXT: ColumnTypeEnum.Text,
  INTEGER: ColumnTypeEnum.Int32,
  BIGINT: ColumnTypeEnum.Int64,
  BOOLEAN: ColumnTypeEnum.Boolean,
  DATETIME: ColumnTypeEnum.DateTime,
  BLOB: ColumnTypeEnum.Bytes,
}

/** Null for an expression or an unknown type. */
export const columnType = (declared: string | null): ColumnType | null =>
  declaredTypes[declared?.toUpperCase() ?? ''] ?? null

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
