import { referenceOf } from '@/lib/auth/tokens/claims'
import type { SqlRow } from '@/lib/database/sql'

/** Phishing-resistant (OpenID Connect Extended Authentication Profile, section 2). */
export const acrOfPasskeys = 'phr'

/** A password over TLS (SAML 2.0 Authentication Context, section 3.4.8), as other providers name it. */
const acrOfPasswords = 'urn:oasis:names:tc:SAML:2.0:ac:classes:PasswordProtectedTransport'

export const acrValues: readonly string[] = [acrOfPasskeys, acrOfPasswords]

/** Finds the `acr` of who signed in by these methods; undefined for a recovery code. */
export function acrOf(amr: readonly string[]): string | undefined {
  if (isByPasskey(amr)) return acrOfPasskeys
  return amr.includes(referenceOf('pwd')) ? acrOfPasswords : undefined
}

export const isByPasskey = (amr: readonly string[]) => amr.includes(referenceOf('passkey'))

/** The part of an account that apps can learn. */
export interface Person {
  id: string
  username: string
  displayName: string | null
  /** Seconds since 1970 */
  updatedAt: number
  email: string | null
  groups: readonly string[]
}

interface AccountRow extends SqlRow<'User', 'id' | 'username' | 'displayName' | 'createdAt' | 'renamedAt' | 'email'> {
  groups: readonly string[]
}

export const personOf = ({ id, username, displayName, createdAt, renamedAt, email, groups }: AccountRow): Person => ({
  id,
  username,
  displayName,
  updatedAt: Math.floor((renamedAt ? Number(renamedAt) : new Date(createdAt).getTime()) / 1000),
  email,
  groups,
})

/** Makes the claims of the scopes (OpenID Connect Core section 5.4). An e-mail address is verified, because we store no others. */
export function claimsOf(person: Person, scopes: readonly string[]): Record<string, unknown> {
  const { username, displayName, updatedAt, email, groups } = person
  const profile = { preferred_username: username, name: displayName ?? username, updated_at: updatedAt }
  return {
    ...(scopes.includes('profile') && profile),
    ...(scopes.includes('email') && email !== null && { email, email_verified: true }),
    ...(scopes.includes('groups') && { groups: [...groups] }),
  }
}

/** The lifetime of access and ID tokens. */
export const tokenSeconds = 3600

/** How long a code's row and a public key stay after their last token, with a margin for clocks. */
export const keptMilliseconds = 2 * tokenSeconds * 1000
