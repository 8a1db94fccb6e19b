import type { VerifiedAuthenticationResponse } from '@simplewebauthn/server'
import { readRows, type SqlBoolean, unflushed } from '@/lib/database/direct-sql'
import { type Fragment, sql } from '@/lib/database/fragments'
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
 * session's record flushes it. The copies of a synced passkey count each for itself, so there a counter says nothing.
 *
 * @returns `behind`: the counter of a synced passkey did not increase. `refused`: the passkey is gone, or it is bound to its
 * device and its counter, which is in use, did not increase: it may have been cloned
 */
export async function recordPasskeyUse(
  id: string,
  info: AuthenticationInfo,
): Promise<'recorded' | 'behind' | 'refused'> {
  const next = BigInt(info.newCounter)
  // Never reset: `canVerifyUser` depends on whether the passkey has ever verified its user.
  const record = (condition: Fragment) => unflushed.changes`
    UPDATE "Passkey" SET "counter" = ${next}, "backedUp" = ${info.credentialBackedUp},
      "deviceType" = ${info.credentialDeviceType}, "lastUsedAt" = ${new Date()},
      "userVerified" = "userVerified" OR ${info.userVerified}
    WHERE "id" = ${id} AND ${condition}`
  if ((await record(sql`("counter" < ${next} OR ("counter" = 0 AND "counter" = ${next}))`)) === 1) return 'recorded'
  const isSynced = info.credentialDeviceType === 'multiDevice' && info.credentialBackedUp
  // Also before: whoever cloned a key that was bound to its device would claim to be synced.
  return isSynced && (await record(sql`"deviceType" = 'multiDevice'`)) === 1 ? 'behind' : 'refused'
}
