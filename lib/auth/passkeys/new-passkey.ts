import type { VerifiedRegistrationResponse } from '@simplewebauthn/server'
import type * as z from 'zod'
import { ApiError } from '@/lib/api/errors'
import { limits } from '@/lib/api/limits'
import type { Passkey, registrationResponse } from '@/lib/api/schemas'
import { isSecurityKey } from '@/lib/api/transports'
import { database } from '@/lib/database/client'
import { isConflict } from '@/lib/database/errors'
import { insertAccount } from '../account/insert-account'
import type { Invitation } from '../account/invitations'
import { type UserWithEpoch, usernameKey } from '../model/accounts'
import {
  defaultPasskeyName,
  describePasskey,
  passkeyColumns,
  plausibleTransports,
  tooManyPasskeys,
} from '../model/passkey'
import type { PrivilegedWriter } from '../sessions/write-as-session'

type RegistrationResponse = Pick<z.infer<typeof registrationResponse>, 'response' | 'authenticatorAttachment'>
type RegistrationInfo = NonNullable<VerifiedRegistrationResponse['registrationInfo']>
export type NewPasskey = ReturnType<typeof newPasskey>

export function newPasskey(
  { credential, aaguid, ...info }: RegistrationInfo,
  { response: { transports }, authenticatorAttachment }: RegistrationResponse,
  { createdConditionally, browser }: { createdConditionally: boolean; browser: string | null },
) {
  const platformBrowser = authenticatorAttachment === 'cross-platform' ? null : browser
  return {
    id: credential.id,
    name: defaultPasskeyName(aaguid, {
      isSecurityKey: isSecurityKey(transports) && !info.credentialBackedUp,
      browser: platformBrowser,
    }),
    publicKey: credential.publicKey,
    counter: BigInt(credential.counter),
    transports: plausibleTransports(transports),
    deviceType: info.credentialDeviceType,
    backedUp: info.credentialBackedUp,
    aaguid,
    userVerified: info.userVerified,
    createdConditionally,
  }
}

/** @param rootId of the session that adds it */
export async function addPasskey(
  write: PrivilegedWriter,
  { userId, rootId }: { userId: string; rootId: string },
  passkey: NewPasskey,
): Promise<Passkey> {
  const row = { ...passkey, createdAt: new Date(), lastUsedAt: null }
  // Behind the account's lock, concurrent inserts on PostgreSQL count each other.
  const { inserted } = await write((db) => ({
    inserted: db.$executeRaw`
      INSERT INTO "Passkey" ("id", "userId", "name", "publicKey", "counter", "transports", "deviceType", "backedUp",
        "aaguid", "userVerified", "createdConditionally", "createdAt", "rootId", "userHandle")
      SELECT ${row.id}, u."id", ${row.name}, ${row.publicKey}, ${row.counter}, ${row.transports}, ${row.deviceType},
        ${row.backedUp}, ${row.aaguid}, ${row.userVerified}, ${row.createdConditionally}, ${row.createdAt}, ${rootId},
        COALESCE(u."userHandle", u."id")
      FROM "User" u
      WHERE u."id" = ${userId}
        AND (SELECT COUNT(*) FROM "Passkey" p WHERE p."userId" = u."id") < ${limits.passkeys}
      ON CONFLICT DO NOTHING`,
  }))
  if (inserted === 1) return describePasskey(row)
  const taken = await (await database()).passkey.findUnique({ where: { id: row.id }, select: { id: true } })
  throw taken ? new ApiError('passkey_taken') : tooManyPasskeys()
}

interface NewPasskeyUser {
  id: string
  username: string
  passkey: NewPasskey
  invitation?: Invitation | undefined
}

export async function createPasskeyUser({ id, username, passkey, invitation }: NewPasskeyUser) {
  const passkeys = { create: { ...passkey, userHandle: id } }
  const data = { id, username, usernameKey: usernameKey(username), passkeys }
  const include = { passkeys: { select: passkeyColumns } }
  const insertion = insertAccount(invitation ?? null, data, (db) => db.user.create({ data, include }))
  const user = await insertion.catch((cause: unknown) => {
    if (!isConflict(cause)) throw cause
    throw new ApiError(isConflict(cause, 'Passkey') ? 'passkey_taken' : 'username_taken', { cause })
  })
  return { user: user as UserWithEpoch, passkey: describePasskey(user.passkeys[0] as (typeof user.passkeys)[0]) }
}
