import type { User } from '@/lib/api/schemas'
import { readRows } from '@/lib/database/direct-sql'
import { isoTime, isoTimeOrNull, type Time } from './time'

export interface UserRow {
  id: string
  username: string
  createdAt: Time
}

/** Session tokens carry the epoch, so incrementing it revokes them all. */
export interface UserWithEpoch extends UserRow {
  sessionEpoch: number
}

export interface SignInUser extends UserWithEpoch {
  usernameKey: string
  passwordHash: string | null
}

/** Seconds since 2020: above any epoch in use, since those grow by one per sign-out. Fits 32 bits until 2088. */
export const freshEpoch = () => Math.floor((Date.now() - Date.UTC(2020, 0, 1)) / 1000)

/** Usernames are unique without regard to case, also among other accounts' e-mail addresses. */
export const usernameKey = (username: string) => username.toLowerCase()

export const publicUser = ({ id, username, createdAt }: UserRow): User => ({
  id,
  username,
  createdAt: isoTime(createdAt),
})

/** When the recovery codes were made, while some are left. */
export const codesMadeAt = (left: number, time: Time | null) => (left > 0 ? isoTimeOrNull(time) : null)

/** Reads hash and epoch together, so that a new epoch also revokes the session of a sign-in in flight. */
export async function findUserForSignIn(username: string): Promise<SignInUser | null> {
  const [user] = await readRows<SignInUser>`
    SELECT u."id", u."username", u."usernameKey", u."createdAt", u."sessionEpoch", u."passwordHash" FROM "User" u
    WHERE u."usernameKey" = ${usernameKey(username)}`
  return user ?? null
}

export async function isDisabled(id: string): Promise<boolean> {
  return (await readRows`SELECT 1 AS "found" FROM "User" u WHERE u."id" = ${id} AND u."disabled"`).length > 0
}
