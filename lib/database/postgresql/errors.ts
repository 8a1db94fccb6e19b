import type { DriverCause } from '../dialect/dialect'

/* Apart from client.ts, so that the embedded database does not load PostgreSQL's driver. */

/**
 * Appendix A of PostgreSQL's manual: connection exception, read-only standby, shutdown, startup, cancelled, out of resources,
 * lock not available.
 */
const codes = /^(08...|25006|57P0[1-5]|57014|53...|55P03)$/
const messages = /timeout|connection (terminated|ended)|not queryable|ECONN|EPIPE|ENOTFOUND/i

export const isUnavailable = ({ code, originalCode }: DriverCause): boolean => codes.test(originalCode ?? code ?? '')

/** `pg` gives its own errors no code, so their messages decide. Prisma's may quote user input, such as "timeout". */
export const saysUnavailable = ({ name, message }: Error): boolean =>
  !name.startsWith('Prisma') && messages.test(message)
