import type { SqlInteger } from '@/lib/database/direct-sql'
export interface Person {
  id: string
  username: string
  /** Seconds since 1970 */
  updatedAt: number
  /** A verified one */
  email: string | null
  groups: readonly string[]
}

interface AccountRow {
  id: string
  username: string
  createdAt: Date | string
  /** Milliseconds since 1970 */
  renamedAt?: SqlInteger | null
  email: string | null
  groups: readonly string[]
}

/** The one place where an account becomes what apps learn. */
export const personOf = ({ id, username, createdAt, renamedAt, email, groups }: AccountRow): Person => ({
  id,
  username,
  updatedAt: Math.floor((renamedAt ? Number(renamedAt) : new Date(createdAt).getTime()) / 1000),
  email,
  groups,
})

/** The claims that each scope releases (OpenID Connect Core section 5.4). What is not known is left out. */
export function claimsOf(person: Person, scopes: readonly string[]): Record<string, unknown> {
  const { username, updatedAt, email, groups } = person
  return {
    ...(scopes.includes('profile') && { preferred_username: username, name: username, updated_at: updatedAt }),
    ...(scopes.includes('email') && email !== null && { email, email_verified: true }),
    ...(scopes.includes('groups') && { groups: [...groups] }),
  }
}
