/** What a driver adapter says of an error: Prisma's kind of it, and the database's own codes. */
export interface DriverCause {
  kind: string
  code?: string
  originalCode?: string
  extendedCode?: number
}
