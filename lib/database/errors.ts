import type { DriverCause } from './dialect/driver-cause'
import * as postgres from './postgresql/unavailable'
import * as sqlite from './sqlite/unavailable'

/** By shape, because the process holds several copies of Prisma's classes. */
function prismaError(error: unknown): { code: string; modelName: string | undefined } | null {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return null
  const { modelName } = (('meta' in error && error.meta) || {}) as { modelName?: string }
  return { code: error.code, modelName }
}

/** Whether a write violated a unique constraint, of `model` if given. */
export function isConflict(error: unknown, model?: string): boolean {
  const { code, modelName } = prismaError(error) ?? {}
  // For raw statements only the driver's error says so.
  if (model === undefined && error instanceof Error && driverCause(error)?.kind === 'UniqueConstraintViolation')
    return true
  return code === 'P2002' && (model === undefined || modelName === model)
}

/** Whether a row that a write refers to or updates does not exist. */
export const isGone = (error: unknown): boolean => isMissing(error) || isOrphan(error)

/** Whether the row that a write was to update does not exist. */
export const isMissing = (error: unknown): boolean => prismaError(error)?.code === 'P2025'

/** Whether a row that a write refers to does not exist. */
function isOrphan(error: unknown): boolean {
  // Prisma gives all errors of raw statements one code.
  const violation = error instanceof Error ? driverCause(error)?.kind : undefined
  return prismaError(error)?.code === 'P2003' || violation === 'ForeignKeyConstraintViolation'
}

/** Prisma's, of either database. */
const unavailableKinds = [
  'DatabaseNotReachable',
  'ConnectionClosed',
  'SocketTimeout',
  'TooManyConnections',
  'TransactionWriteConflict',
]
const unavailableCodes = ['P1001', 'P1002', 'P1008', 'P1017', 'P2024', 'P2028', 'P2034']

/**
 * Whether the database is unreachable or was busy for too long, so that the caller may retry later. Knows the codes of both
 * databases, because an error of a connection that never opened has no dialect.
 */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const cause = driverCause(error)
  if (cause)
    return unavailableKinds.includes(cause.kind) || sqlite.isUnavailable(cause) || postgres.isUnavailable(cause)
  return unavailableCodes.includes(prismaError(error)?.code ?? '') || postgres.saysUnavailable(error)
}

function driverCause(error: Error): DriverCause | undefined {
  const { meta, cause } = error as { meta?: { driverAdapterError?: { cause?: unknown } }; cause?: unknown }
  const found = meta?.driverAdapterError?.cause ?? (error.name === 'DriverAdapterError' ? cause : undefined)
  return found as DriverCause | undefined
}
