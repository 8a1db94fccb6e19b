import { DriverAdapterError, type MappedError } from '@prisma/driver-adapter-utils'
import { primaryCode, resultCodes } from './result-codes'

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
