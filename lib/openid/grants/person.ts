import type { Time } from '@/lib/auth/model/time'
import type { SqlInteger } from '@/lib/database/direct-sql'

/** What apps can learn of an account. */
export interface Person {
  id: string
  username: string
  /** Seconds since 1970 */
  updatedAt: number
  email: string | null
  groups: readonly string[]
}

interface AccountRow {
  id: string
  username: string
  createdAt: Time
  renamedAt: SqlInteger | null
  email: string | null
  groups: readonly string[]
}

export const personOf = ({ id, username, createdAt, renamedAt, email, groups }: AccountRow): Person => ({
  id,
  username,
  updatedAt: Math.floor((renamedAt ? Number(renamedAt) : new Date(createdAt).getTime()) / 1000),
  email,
  groups,
})

/** The claims of the scopes (OpenID Connect Core section 5.4). Only verified addresses are stored. */
export function claimsOf(person: Person, scopes: readonly string[]): Record<string, unknown> {
  const { username, updatedAt, email, groups } = person
  return {
    ...(scopes.includes('profile') && { preferred_username: username, name: username, updated_at: updatedAt }),
    ...(scopes.includes('email') && email !== null && { email, email_verified: true }),
    ...(scopes.includes('groups') && { groups: [...groups] }),
  }
}
