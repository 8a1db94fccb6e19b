import { sqltag } from '@prisma/client/runtime/client'
import { type ArgType, ColumnTypeEnum, type SqlResultSet } from '@prisma/driver-adapter-utils'
import { connection } from './client'

/** Adapters look at it only to convert text to other types. */
const argType: ArgType = { scalarType: 'string', arity: 'scalar' }

/**
 * `$queryRaw` for what every request reads, without Prisma's interpreter, which takes longer than the rest of a session
 * check together. Integers of 64 bits come as numbers or as text.
 *
 * @throws DriverAdapterError
 */
export async function readRows<Row>(strings: readonly string[], ...values: unknown[]): Promise<Row[]> {
  const { adapter } = await connection()
  const statement = sqltag(strings, ...values)
  const sql = adapter.provider === 'sqlite' ? statement.sql : statement.text
  const argTypes = statement.values.map(() => argType)
  const result = await adapter.queryRaw({ sql, args: statement.values, argTypes })
  return result.rows.map((row) => toObject<Row>(row, result))
}

function toObject<Row>(row: unknown[], { columnNames, columnTypes }: SqlResultSet): Row {
  const object: Record<string, unknown> = {}
  for (const [index, name] of columnNames.entries()) {
    const value = row[index]
    object[name] = columnTypes[index] === ColumnTypeEnum.DateTime && value !== null ? new Date(value as string) : value
  }
  return object as Row
}
