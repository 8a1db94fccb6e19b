import { createPublicKey } from 'node:crypto'
import type { VerifiedAuthenticationResponse } from '@simplewebauthn/server'
import { cose, decodeCredentialPublicKey } from '@simplewebauthn/server/helpers'
import { type Fragment, readRows, type SqlRow, sql, unflushed } from '@/lib/database/sql'
import type { UserWithEpoch } from '../account'
import type { VerificationRow } from '../passkey'

type PasskeyColumns = VerificationRow &
  SqlRow<'Passkey', 'id' | 'publicKey' | 'transports' | 'deviceType' | 'userHandle'>

export interface StoredPasskey extends PasskeyColumns {
  user: UserWithEpoch & SqlRow<'User', 'usernameKey'>
}

export async function findPasskey(id: string): Promise<StoredPasskey | null> {
  const [row] = await readRows<PasskeyColumns & SqlRow<'Passkey', 'userId'> & Omit<StoredPasskey['user'], 'id'>>`
    SELECT p."id", p."publicKey", p."transports", p."deviceType", p."userVerified", p."createdConditionally",
           p."userHandle", p."userId", u."username", u."displayName", u."usernameKey", u."createdAt", u."sessionEpoch"
    FROM "Passkey" p JOIN "User" u ON u."id" = p."userId" WHERE p."id" = ${id}`
  if (!row) return null
  const { userId, username, displayName, usernameKey: key, createdAt, sessionEpoch, ...passkey } = row
  return { ...passkey, user: { id: userId, username, displayName, usernameKey: key, createdAt, sessionEpoch } }
}

export type AuthenticationInfo = VerifiedAuthenticationResponse['authenticationInfo']

/**
 * Records a passkey's use by one conditional update, so that concurrent responses cannot reuse a signature counter (WebAuthn
 * section 6.1.1). The session's record flushes it. Each copy of a synced passkey counts for itself, so there a counter says
 * nothing.
 *
 * @returns `behind` if the counter of a synced passkey did not increase. `refused` if the passkey is gone, or if it is bound to
 *   its device and its counter, which is in use, did not increase: somebody may have cloned it
 */
export async function recordPasskeyUse(
  id: string,
  info: AuthenticationInfo,
): Promise<'recorded' | 'behind' | 'refused'> {
  const next = BigInt(info.newCounter)
  // Never clears `userVerified`: `canVerifyUser` asks if the passkey has ever verified its user.
  const record = (condition: Fragment) => unflushed.changes`
    UPDATE "Passkey" SET "counter" = ${next}, "backedUp" = ${info.credentialBackedUp},
      "deviceType" = ${info.credentialDeviceType}, "lastUsedAt" = ${new Date()},
      "userVerified" = "userVerified" OR ${info.userVerified}
    WHERE "id" = ${id} AND ${condition}`
  if ((await record(sql`("counter" < ${next} OR ("counter" = 0 AND "counter" = ${next}))`)) === 1) return 'recorded'
  const isSynced = info.credentialDeviceType === 'multiDevice' && info.credentialBackedUp
  // Requires that it was synced before, too: a thief's clone of a key that was bound to its device would claim to be synced.
  return isSynced && (await record(sql`"deviceType" = 'multiDevice'`)) === 1 ? 'behind' : 'refused'
}

const minRsaBits = 2048
/** Keys beyond these take milliseconds for each signature; authenticators use 2048 bits and the exponent 65537. */
const maxRsaBits = 4096
const maxRsaExponentBytes = 4

/** The longest id (WebAuthn section 4, "Credential ID"). */
export const longestIdBytes = 1023
export const longestKeyBytes = 4096

type Bytes = Uint8Array<ArrayBuffer>

/**
 * Names the fault of an RSA key, as a noun phrase; null without one, and for other keys. The library accepts short keys, which
 * somebody could factor (NIST SP 800-131A section 3), and expensive ones.
 */
export function rsaFault(publicKey: Bytes): string | null {
  const key = decodeCredentialPublicKey(publicKey)
  if (!cose.isCOSEPublicKeyRSA(key)) return null
  const modulus = Buffer.from(key.get(cose.COSEKEYS.n) ?? []).toString('hex')
  // Counts bits, because leading zeros could make a short modulus look long.
  const bits = BigInt(`0x0${modulus}`).toString(2).length
  const exponentBytes = key.get(cose.COSEKEYS.e)?.length ?? 0
  if (exponentBytes > maxRsaExponentBytes)
    return `an RSA key with an exponent of ${exponentBytes} bytes, more than ${maxRsaExponentBytes}`
  return bits < minRsaBits || bits > maxRsaBits
    ? `an RSA key of ${bits} bits, not ${minRsaBits} to ${maxRsaBits}`
    : null
}

/** True for a COSE_Key of one of our algorithms (RFC 9053 section 7, RFC 8230 section 4) whose key exists. */
export function isPublicKey(publicKey: Bytes): boolean {
  try {
    const jwk = toJwk(decodeCredentialPublicKey(publicKey))
    // OpenSSL rejects a point that is not on the curve.
    return jwk !== null && createPublicKey({ key: jwk, format: 'jwk' }).type === 'public'
  } catch {
    return false
  }
}

/** Finds a reason not to store a passkey. SimpleWebAuthn checks neither the sizes nor if the key exists. */
export function passkeyFault(id: string, publicKey: Bytes): string | null {
  if (Buffer.byteLength(id, 'base64url') > longestIdBytes) return `the id is longer than ${longestIdBytes} bytes`
  if (publicKey.length > longestKeyBytes) return `the key is longer than ${longestKeyBytes} bytes`
  return isPublicKey(publicKey) ? rsaFault(publicKey) : 'the key is no COSE_Key of ES256, EdDSA or RS256'
}

const { COSEALG, COSECRV, COSEKEYS } = cose

function toJwk(key: cose.COSEPublicKey) {
  const algorithm = key.get(COSEKEYS.alg)
  if (cose.isCOSEPublicKeyEC2(key) && algorithm === COSEALG.ES256 && key.get(COSEKEYS.crv) === COSECRV.P256)
    return { kty: 'EC', crv: 'P-256', x: text(key.get(COSEKEYS.x)), y: text(key.get(COSEKEYS.y)) }
  if (cose.isCOSEPublicKeyOKP(key) && algorithm === COSEALG.EdDSA && key.get(COSEKEYS.crv) === COSECRV.ED25519)
    return { kty: 'OKP', crv: 'Ed25519', x: text(key.get(COSEKEYS.x)) }
  if (cose.isCOSEPublicKeyRSA(key) && algorithm === COSEALG.RS256)
    return { kty: 'RSA', n: text(key.get(COSEKEYS.n)), e: text(key.get(COSEKEYS.e)) }
  return null
}

const text = (bytes: Uint8Array | undefined) => Buffer.from(bytes ?? []).toString('base64url')
