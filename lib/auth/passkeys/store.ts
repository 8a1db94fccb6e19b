import type { VerifiedRegistrationResponse } from '@simplewebauthn/server'
import { ApiError } from '@/lib/api/errors'
import type { Passkey } from '@/lib/api/schemas'
import { database } from '@/lib/database/client'
import { isConflict, isGone } from '@/lib/database/errors'
import { type Owner, usernameKey } from '../accounts'
import { fromRow, type PasskeyRow } from './passkey'
import { findProvider } from './providers'

/** The passkey of that credential id with its owner, or null. */
export async function findPasskey(id: string) {
  const db = await database()
  return db.passkey.findUnique({ where: { id }, include: { user: true } })
}

/**
 * Records a use of a passkey, if its signature counter went up or is not kept at all (WebAuthn section 6.1.1). One
 * conditional update: of two answers with the same counter, one wins.
 *
 * @returns false if the counter went back or stood still: the passkey may have been cloned
 */
export async function recordUse(id: string, counter: number, backedUp: boolean): Promise<boolean> {
  const db = await database()
  const next = BigInt(counter)
  const grew = next === 0n ? { counter: 0n } : { counter: { lt: next } }
  const data = { counter: next, backedUp, lastUsedAt: new Date() }
  const { count } = await db.passkey.updateMany({ where: { id, ...grew }, data })
  return count === 1
}

type RegistrationInfo = NonNullable<VerifiedRegistrationResponse['registrationInfo']>
type NewPasskey = ReturnType<typeof newPasskey>

/** What is kept of a verified registration. Transports come from the page, so only what looks like one is kept. */
export function newPasskey({ credential, aaguid, ...info }: RegistrationInfo, transports: string[]) {
  const known = transports.filter((transport) => /^[a-z-]{1,32}$/.test(transport)).slice(0, 8)
  return {
    id: credential.id,
    name: findProvider(aaguid) ?? (known.includes('usb') && !info.credentialBackedUp ? 'Security key' : 'Passkey'),
    publicKey: credential.publicKey,
    counter: BigInt(credential.counter),
    transports: [...new Set(known)].join(','),
    deviceType: info.credentialDeviceType,
    backedUp: info.credentialBackedUp,
    aaguid,
    userVerified: info.userVerified,
  }
}

const kept = {
  id: true,
  name: true,
  aaguid: true,
  createdAt: true,
  lastUsedAt: true,
  backedUp: true,
  deviceType: true,
  transports: true,
} as const

const fromRecord = ({
  id,
  createdAt,
  ...row
}: Omit<PasskeyRow, 'passkeyId' | 'passkeyCreatedAt'> & { id: string; createdAt: Date }) =>
  fromRow({ ...row, passkeyId: id, passkeyCreatedAt: createdAt })

/** Adds a passkey to an account. @throws ApiError passkey_taken; authentication_failed if the account is gone */
export async function addPasskey(userId: string, passkey: NewPasskey): Promise<Passkey> {
  const db = await database()
  const row = await db.passkey.create({ data: { ...passkey, userId }, select: kept }).catch((cause: unknown) => {
    if (isConflict(cause)) throw new ApiError('passkey_taken', { cause })
    throw isGone(cause) ? new ApiError('authentication_failed', { cause }) : cause
  })
  return fromRecord(row)
}

/** Makes an account with its first passkey, both or neither. @throws ApiError username_taken, passkey_taken */
export async function createPasskeyUser(id: string, username: string, passkey: NewPasskey) {
  const db = await database()
  const data = { id, username, usernameKey: usernameKey(username), passkeys: { create: passkey } }
  const user = await db.user.create({ data, include: { passkeys: { select: kept } } }).catch((cause: unknown) => {
    if (!isConflict(cause)) throw cause
    throw new ApiError(isConflict(cause, 'Passkey') ? 'passkey_taken' : 'username_taken', { cause })
  })
  return { user: user as Owner, passkey: fromRecord(user.passkeys[0] as (typeof user.passkeys)[0]) }
}
