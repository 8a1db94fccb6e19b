/** What a driver adapter says of an error: Prisma's kind of it, and the database's own codes. */
export interface DriverCause {
  kind: string
  code?: string
  originalCode?: string
  extendedCode?: number
  originalMessage?: string
  /** Of a failure of TLS. */
  reason?: string
  host?: string
  port?: number
  user?: string
  db?: string
}
