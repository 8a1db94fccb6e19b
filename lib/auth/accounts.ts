import { randomBytes } from 'node:crypto'
import { ApiError } from '@/lib/api/errors'
import type { User } from '@/lib/api/schemas'
import { database } from '@/lib/database/client'
import { isConflict } from '@/lib/database/errors'

/** The columns of a user that responses show. */
export interface UserRow {
  id: string
  username: string
  createdAt: Date
}

/** What a session is opened for. */
export interface Owner extends UserRow {
  sessionEpoch: number
}

/** The form of a username that decides who has it: without regard to case. */
export const usernameKey = (username: string) => username.toLowerCase()

/** A new user's id: 128 random bits in base64url. It is also the WebAuthn user handle, which must tell nothing of the person (WebAuthn section 14.6.1). */
export const newUserId = () => randomBytes(16).toString('base64url')

/** What responses show of a user. */
export const publicUser = ({ id, username, createdAt }: UserRow): User => ({
  id,
  username,
  createdAt: createdAt.toISOString(),
})

/** The user of that name with what a password sign-in needs. The hash and the epoch are read together, so that a raised epoch also ends a sign-in in flight. */
export async function findUserForSignIn(username: string) {
  const db = await database()
  return db.user.findUnique({ where: { usernameKey: usernameKey(username) }, omit: { passwordHash: false } })
}

/** Whether the name is taken now; the unique key decides when the account is made. */
export async function isTaken(username: string): Promise<boolean> {
  const db = await database()
  const user = await db.user.findUnique({ where: { usernameKey: usernameKey(username) }, select: { id: true } })
  return user !== null
}

/** Makes an account with a password. @throws ApiError username_taken */
export async function createUser(username: string, passwordHash: string): Promise<Owner> {
  const db = await database()
  const data = { id: newUserId(), username, usernameKey: usernameKey(username), passwordHash }
  // Insert and catch: of any number of simultaneous sign-ups, the unique key lets one through.
  return db.user.create({ data }).catch((error: unknown) => {
    throw isConflict(error) ? new ApiError('username_taken', { cause: error }) : error
  })
}

type Database = Awaited<ReturnType<typeof database>>

/**
 * The first statement of a batch that must be alone with an account: it changes nothing, but on PostgreSQL the row stays
 * locked until the batch is done, and each later statement sees what the batch before it did. SQLite runs one at a time.
 */
export const lockUser = (db: Database, id: string) =>
  db.user.updateMany({ where: { id }, data: { sessionEpoch: { increment: 0 } } })
