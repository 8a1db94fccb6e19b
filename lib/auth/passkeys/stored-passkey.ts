import type { VerifiedAuthenticationResponse } from '@simplewebauthn/server'
import { readRows, type SqlBoolean, unflushed } from '@/lib/database/direct-sql'
import type { UserWithEpoch } from '../model/accounts'

export interface StoredPasskey {
  id: string
  user: UserWithEpoch & { usernameKey: string }
  publicKey: Uint8Array<ArrayBuffer>
  transports: string
  deviceType: string
  userVerified: SqlBoolean
  createdConditionally: SqlBoolean
  /** Null until an imported passkey's first authentication */
  userHandle: string | null
}

export async function findPasskey(id: string): Promise<StoredPasskey | null> {
  const [row] = await readRows<Omit<StoredPasskey, 'user'> & Omit<StoredPasskey['user'], 'id'> & { userId: string }>`
    SELECT p."id", p."publicKey", p."transports", p."deviceType", p."userVerified", p."createdConditionally",
           p."userHandle", p."userId", u."username", u."usernameKey", u."createdAt", u."sessionEpoch"
    FROM "Passkey" p JOIN "User" u ON u."id" = p."userId" WHERE p."id" = ${id}`
  if (!row) return null
  const { userId, username, usernameKey: key, createdAt, sessionEpoch, ...passkey } = row
  return { ...passkey, user: { id: userId, username, usernameKey: key, createdAt, sessionEpoch } }
}

export type AuthenticationInfo = VerifiedAuthenticationResponse['authenticationInfo']

/**
 * One conditional update, so that concurrent responses cannot reuse a signature counter (WebAuthn section 6.1.1). The
 * session's record flushes it.
 *
 * @returns false if the passkey is gone, or if its counter is in use and did not increase: it may have been cloned
 */
export async function recordPasskeyUse(id: string, info: AuthenticationInfo): Promise<boolean> {
  const next = BigInt(info.newCounter)
  // Never reset: `canVerifyUser` depends on whether the passkey has ever verified its user.
  const changed = await unflushed.changes`
    UPDATE "Passkey" SET "counter" = ${next}, "backedUp" = ${info.credentialBackedUp},
      "deviceType" = ${info.credentialDeviceType}, "lastUsedAt" = ${new Date()},
      "userVerified" = "userVerified" OR ${info.userVerified}
    WHERE "id" = ${id} AND ("counter" < ${next} OR ("counter" = 0 AND "counter" = ${next}))`
  return changed === 1
}
