import { ApiError } from '@/lib/api/errors'
import { limits } from '@/lib/api/limits'
import type { Passkey } from '@/lib/api/schemas'
import type { SqlBoolean } from '@/lib/database/direct-sql'
import { findProvider } from './passkey-providers'
import { isoTime, isoTimeOrNull, type Time } from './time'

export const passkeyColumns = {
  id: true,
  name: true,
  aaguid: true,
  createdAt: true,
  lastUsedAt: true,
  backedUp: true,
  deviceType: true,
  transports: true,
} as const

export interface PasskeyRow {
  id: string
  name: string
  aaguid: string
  createdAt: Time
  lastUsedAt: Time | null
  backedUp: SqlBoolean
  deviceType: string
  transports: string
}

export function describePasskey(row: PasskeyRow): Passkey {
  return {
    id: row.id,
    name: row.name,
    provider: findProvider(row.aaguid),
    createdAt: isoTime(row.createdAt),
    lastUsedAt: isoTimeOrNull(row.lastUsedAt),
    backedUp: Boolean(row.backedUp),
    deviceType: row.deviceType as Passkey['deviceType'],
    transports: splitTransports(row.transports),
  }
}

/** Whether it has shown that it can verify its user: without that, a response does not prove who is present. */
export const canVerifyUser = ({ userVerified, createdConditionally }: VerificationRow) =>
  Boolean(userVerified || createdConditionally)

interface VerificationRow {
  userVerified: SqlBoolean | null
  createdConditionally: SqlBoolean | null
}

export const defaultPasskeyName = (aaguid: string, { isSecurityKey = false, browser = null as string | null } = {}) =>
  findProvider(aaguid) ?? (isSecurityKey ? 'Security key' : (browser ?? 'Passkey'))

/** The second passkey of "Apple Passwords" is "Apple Passwords 2". */
export function distinctName(name: string, taken: Pick<Passkey, 'name'>[]): string {
  const names = new Set(taken.map((passkey) => passkey.name))
  let distinct = name
  for (let count = 2; names.has(distinct); count++) distinct = `${name} ${count}`
  return distinct
}

/** Authenticators report transports unverified, so only plausible ones are stored. */
export const plausibleTransports = (transports: string[]) =>
  [...new Set(transports.filter((transport) => /^[a-z-]{1,32}$/.test(transport)))].slice(0, 8).join(',')

/** Order and spelling are the authenticator's (WebAuthn section 5.8.4). */
export const splitTransports = (text: string) => text.split(',').filter(Boolean)

export const tooManyPasskeys = () =>
  new ApiError('invalid_request', { fields: { passkeys: { key: 'too_many_passkeys', max: limits.passkeys } } })
