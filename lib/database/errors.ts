/** Prisma's error code and model, read by shape: the process holds several copies of its classes. */
function known(error: unknown): { code: string; modelName: string | undefined } | null {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return null
  const { modelName } = (('meta' in error && error.meta) || {}) as { modelName?: string }
  return { code: error.code, modelName }
}

/**
 * Whether a unique key refused a write.
 *
 * @param model only if the key is this model's (driver adapters tell the model, not the column)
 */
export function isConflict(error: unknown, model?: string): boolean {
  const { code, modelName } = known(error) ?? {}
  return code === 'P2002' && (model === undefined || modelName === model)
}

/** Whether a row that a write refers to, or was to change, is gone. */
export function isGone(error: unknown): boolean {
  return ['P2003', 'P2025'].includes(known(error)?.code ?? '')
}

/** What a driver adapter calls a database that is away, too busy, or closed the connection. */
const awayKinds = [
  'DatabaseNotReachable',
  'ConnectionClosed',
  'SocketTimeout',
  'TooManyConnections',
  'TransactionWriteConflict',
]
/** PostgreSQL's own codes for that (its manual, Appendix A): connection exceptions, shutting down or starting up, out of connections, lock not available. */
const awayCodes = /^(08...|57P0[1-4]|53...|55P03)$/
/** What pg says without a code. */
const awayMessages = /timeout|connection (terminated|ended)|ECONN|EPIPE|ENOTFOUND/i
/** SQLite's primary result codes for a disk that cannot be read or written, or is full: SQLITE_IOERR, SQLITE_FULL, SQLITE_CANTOPEN. */
const diskCodes = [10, 13, 14]

/** Whether the database could not be reached, or was busy for too long: an answer for later, not a bug. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const cause = driverCause(error)
  if (cause?.kind === 'sqlite') return diskCodes.includes(Number(cause.extendedCode) & 0xff)
  if (cause) return awayKinds.includes(cause.kind) || awayCodes.test(cause.originalCode ?? cause.code ?? '')
  return ['P1001', 'P1002', 'P1008', 'P1017', 'P2024', 'P2034'].includes(known(error)?.code ?? '') || isPgError(error)
}

const isPgError = (error: Error) => !('clientVersion' in error) && awayMessages.test(error.message)

function driverCause(error: Error) {
  const { meta, cause } = error as { meta?: { driverAdapterError?: { cause?: unknown } }; cause?: unknown }
  const found = meta?.driverAdapterError?.cause ?? (error.name === 'DriverAdapterError' ? cause : undefined)
  return found as { kind: string; code?: string; originalCode?: string; extendedCode?: number } | undefined
}
