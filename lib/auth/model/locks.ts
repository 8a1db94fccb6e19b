import type { Database } from '@/lib/database/client'
import { type Fragment, sql, statement } from '@/lib/database/fragments'

/**
 * Before the statements that read what it protects: PostgreSQL locks the rows until the commit; SQLite runs one transaction at
 * a time.
 *
 * @param ids values or a SELECT of ids
 */
export const lockUsers = (db: Database, ids: Fragment) =>
  statement(db, sql`UPDATE "User" SET "sessionEpoch" = "sessionEpoch" WHERE "id" IN (${ids})`)

export const lockUser = (db: Database, id: string) => lockUsers(db, sql`${id}`)

/** The same; the transaction fails if there is no such row. */
export const lockExistingUser = (db: Database, where: { id: string; sessionEpoch?: number }) =>
  db.user.update({ where, data: { sessionEpoch: { increment: 0 } }, select: { id: true } })

/** Locks the group's row as `lockUser` does an account's. */
export const lockGroup = (db: Database, name: string) =>
  db.$executeRaw`UPDATE "Group" SET "name" = "name" WHERE "name" = ${name}`
