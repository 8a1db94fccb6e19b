import { DriverAdapterError, type MappedError } from '@prisma/driver-adapter-utils'

/** https://www.sqlite.org/rescode.html; the low byte of an extended code is its primary code. */
const SQLITE_BUSY = 5
const SQLITE_CONSTRAINT_FOREIGNKEY = 787
const SQLITE_CONSTRAINT_NOTNULL = 1299
const SQLITE_CONSTRAINT_PRIMARYKEY = 1555
const SQLITE_CONSTRAINT_TRIGGER = 1811
const SQLITE_CONSTRAINT_UNIQUE = 2067

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
    case SQLITE_CONSTRAINT_UNIQUE:
    case SQLITE_CONSTRAINT_PRIMARYKEY: {
      const table = columns[0]?.split('.')[0]
      return { kind: 'UniqueConstraintViolation', constraint, ...(table !== undefined && { table }) }
    }
    case SQLITE_CONSTRAINT_NOTNULL:
      return { kind: 'NullConstraintViolation', constraint }
    case SQLITE_CONSTRAINT_FOREIGNKEY:
    case SQLITE_CONSTRAINT_TRIGGER:
      return { kind: 'ForeignKeyConstraintViolation', constraint: { foreignKey: {} } }
  }
  if ((code & 0xff) === SQLITE_BUSY) return { kind: 'SocketTimeout' }
  const [, table] = /^no such table: (.+)$/.exec(message) ?? []
  if (table !== undefined) return { kind: 'TableDoesNotExist', table }
  return { kind: 'sqlite', extendedCode: code, message }
}
