import type { VerifiedRegistrationResponse } from '@simplewebauthn/server'
import { ApiError } from '@/lib/api/errors'
import type { Passkey } from '@/lib/api/schemas'
import { database } from '@/lib/database/client'
import { isConflict, isGone } from '@/lib/database/errors'
import { type UserWithEpoch, usernameKey } from '../accounts'
import { describePasskey, passkeyColumns } from '../passkey'
import { findProvider } from '../passkey-providers'

export async function findPasskey(id: string) {
  const db = await database()
  return db.passkey.findUnique({ where: { id }, include: { user: true } })
}

/**
 * One conditional update, so that concurrent responses cannot reuse a signature counter (WebAuthn section 6.1.1).
 *
 * @returns false if the counter is in use and did not increase: the passkey may have been cloned
 */
export async function recordUse(id: string, counter: number, backedUp: boolean): Promise<boolean> {
  const db = await database()
  const next = BigInt(counter)
  const increased = next === 0n ? { counter: 0n } : { counter: { lt: next } }
  const data = { counter: next, backedUp, lastUsedAt: new Date() }
  const { count } = await db.passkey.updateMany({ where: { id, ...increased }, data })
  return count === 1
}

type RegistrationInfo = NonNullable<VerifiedRegistrationResponse['registrationInfo']>
export type NewPasskey = ReturnType<typeof newPasskey>

/** @param transports unverified, so only plausible ones are kept */
export function newPasskey({ credential, aaguid, ...info }: RegistrationInfo, transports: string[]) {
  const plausible = transports.filter((transport) => /^[a-z-]{1,32}$/.test(transport)).slice(0, 8)
  const isSecurityKey = plausible.includes('usb') && !info.credentialBackedUp
  return {
    id: credential.id,
    name: findProvider(aaguid) ?? (isSecurityKey ? 'Security key' : 'Passkey'),
    publicKey: credential.publicKey,
    counter: BigInt(credential.counter),
    transports: [...new Set(plausible)].join(','),
    deviceType: info.credentialDeviceType,
    backedUp: info.credentialBackedUp,
    aaguid,
    userVerified: info.userVerified,
  }
}

/** @throws ApiError passkey_taken; authentication_failed if the account no longer exists */
export async function addPasskey(userId: string, passkey: NewPasskey): Promise<Passkey> {
  const db = await database()
  const data = { ...passkey, userId }
  const row = await db.passkey.create({ data, select: passkeyColumns }).catch((cause: unknown) => {
    if (isConflict(cause)) throw new ApiError('passkey_taken', { cause })
    throw isGone(cause) ? new ApiError('authentication_failed', { cause }) : cause
  })
  return describePasskey(row)
}

/** @throws ApiError username_taken, passkey_taken */
export async function createPasskeyUser(id: string, username: string, passkey: NewPasskey) {
  const db = await database()
  const data = { id, username, usernameKey: usernameKey(username), passkeys: { create: passkey } }
  const include = { passkeys: { select: passkeyColumns } }
  const user = await db.user.create({ data, include }).catch((cause: unknown) => {
    if (!isConflict(cause)) throw cause
    throw new ApiError(isConflict(cause, 'Passkey') ? 'passkey_taken' : 'username_taken', { cause })
  })
  return { user: user as UserWithEpoch, passkey: describePasskey(user.passkeys[0] as (typeof user.passkeys)[0]) }
}
