import type { DriverCause } from './dialect'
import { isUnavailable as isSqliteUnavailable } from './sqlite/driver'

/** Recognizes Prisma's errors by shape, because the process holds several copies of its classes. */
function prismaError(error: unknown): { code: string; modelName: string | undefined } | null {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return null
  const { modelName } = (('meta' in error && error.meta) || {}) as { modelName?: string }
  return { code: error.code, modelName }
}

/** True if a write violated a unique constraint, of `model` if given. */
export function isConflict(error: unknown, model?: string): boolean {
  const { code, modelName } = prismaError(error) ?? {}
  // Of raw statements, only the driver's error says this.
  if (model === undefined && error instanceof Error && driverCause(error)?.kind === 'UniqueConstraintViolation')
    return true
  return code === 'P2002' && (model === undefined || modelName === model)
}

/** True if a row that a write refers to or updates does not exist. */
export const isGone = (error: unknown): boolean => isMissing(error) || isOrphan(error)

/** True if the row that a write should update does not exist. */
export const isMissing = (error: unknown): boolean => prismaError(error)?.code === 'P2025'

/** True if a row that a write refers to does not exist. */
function isOrphan(error: unknown): boolean {
  // Asks the driver's error, too, because Prisma gives all errors of raw statements one code.
  const violation = error instanceof Error ? driverCause(error)?.kind : undefined
  return prismaError(error)?.code === 'P2003' || violation === 'ForeignKeyConstraintViolation'
}

/** Prisma's kinds, of either database. */
const unavailableKinds = [
  'DatabaseNotReachable',
  'ConnectionClosed',
  'SocketTimeout',
  'TooManyConnections',
  'TransactionWriteConflict',
]
/** Prisma's codes for the same: out of reach, too late, closed, no connection or transaction in time, a write conflict. */
const unavailableCodes = ['P1001', 'P1002', 'P1008', 'P1017', 'P2024', 'P2028', 'P2034']

/**
 * True if the database is unreachable or was busy for too long, so that the caller may retry later. Knows the codes of both
 * databases, because the error of a connection that never opened has no dialect.
 */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const cause = driverCause(error)
  if (cause) return unavailableKinds.includes(cause.kind) || isSqliteUnavailable(cause) || isPostgresUnavailable(cause)
  return unavailableCodes.includes(prismaError(error)?.code ?? '') || saysUnavailable(error)
}

/**
 * Appendix A of PostgreSQL's manual: connection exception, read-only standby, shutdown, startup, cancelled, out of resources,
 * lock not available.
 */
const postgresCodes = /^(08...|25006|57P0[1-5]|57014|53...|55P03)$/
const postgresMessages = /timeout|connection (terminated|ended)|not queryable|ECONN|EPIPE|ENOTFOUND/i

const isPostgresUnavailable = ({ code, originalCode }: DriverCause): boolean =>
  postgresCodes.test(originalCode ?? code ?? '')

/** `pg` gives its own errors no code, so their messages decide. Prisma's may quote user input, such as "timeout". */
const saysUnavailable = ({ name, message }: Error): boolean =>
  !name.startsWith('Prisma') && postgresMessages.test(message)

function driverCause(error: Error): DriverCause | undefined {
  const { meta, cause } = error as { meta?: { driverAdapterError?: { cause?: unknown } }; cause?: unknown }
  const found = meta?.driverAdapterError?.cause ?? (error.name === 'DriverAdapterError' ? cause : undefined)
  return found as DriverCause | undefined
}

/** Explains an error to operators: a sentence in place of a driver's word for it, such as "TlsConnectionError". */
export function explained(error: unknown): unknown {
  const sentence = error instanceof Error ? sentenceOf(error) : undefined
  return sentence === undefined ? error : new Error(sentence, { cause: error })
}

function sentenceOf(error: Error): string | undefined {
  const cause = driverCause(error)
  if (cause) return sentenceOfCause(cause)
  // None of several addresses answered, such as those of localhost. Node leaves the message of the whole empty.
  if (error instanceof AggregateError) return notReachable(error.errors[0] as { address?: string; port?: number })
  // Neither Prisma nor `pg` has a word of its own for these.
  if (saysUnavailable(error)) return `PostgreSQL does not answer (${error.message}): check DATABASE_URL`
  return undefined
}

function sentenceOfCause(cause: DriverCause): string | undefined {
  const { kind, originalMessage, reason, user, db } = cause
  switch (kind) {
    case 'DatabaseNotReachable':
      return notReachable({ address: cause.host, port: cause.port })
    case 'ConnectionClosed':
      return 'the connection was closed at once: check that PostgreSQL listens at the host and port of DATABASE_URL'
    case 'SocketTimeout':
      return originalMessage?.includes('locked')
        ? 'another process has locked the database: end it, or wait until it has finished'
        : 'PostgreSQL does not answer: check the host and port of DATABASE_URL'
    case 'TlsConnectionError':
      return `no TLS with PostgreSQL (${reason}): its certificate must name the host of DATABASE_URL; for one of a private authority, add ?sslmode=verify-full&sslrootcert=FILE with that authority's certificate`
    case 'AuthenticationFailed':
      return `PostgreSQL rejects the password${user ? ` of ${user}` : ''}: check the user and the password in DATABASE_URL, percent-encoded`
    case 'DatabaseAccessDenied':
      return `PostgreSQL refuses the connection (${originalMessage}): check the user in DATABASE_URL, and the server's pg_hba.conf`
    case 'DatabaseDoesNotExist':
      return `PostgreSQL has no database ${db ?? 'of that name'}: create it, or correct its name in DATABASE_URL`
    case 'TooManyConnections':
      return `PostgreSQL has no connection left (${originalMessage}): raise its max_connections, or use a pooler`
    case 'TransactionWriteConflict':
      return 'another transaction changed the same rows: try again'
    // The database's own message is a sentence.
    case 'postgres':
    case 'sqlite':
      return undefined
    default:
      return `the database says: ${originalMessage ?? kind}`
  }
}

const notReachable = ({ address, port }: { address?: string | undefined; port?: number | undefined }) =>
  `PostgreSQL cannot be reached${address ? ` at ${address}${port ? `:${port}` : ''}` : ''}: check that it runs, and the host and port of DATABASE_URL`
