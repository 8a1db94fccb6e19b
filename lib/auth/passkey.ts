import { ApiError } from '@/lib/api/errors'
import { findProvider } from './passkey-providers'

/** What responses show of a passkey. */
export interface Passkey {
  id: string
  name: string
  provider: string | null
  createdAt: Date
  lastUsedAt: Date | null
  backedUp: boolean
  deviceType: 'singleDevice' | 'multiDevice'
  transports: string[]
}

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

/** The columns above; in raw queries SQLite returns booleans as numbers. */
export interface PasskeyRow {
  id: string
  name: string
  aaguid: string
  createdAt: Date
  lastUsedAt: Date | null
  backedUp: boolean | number | bigint
  deviceType: string
  transports: string
}

export function describePasskey(row: PasskeyRow): Passkey {
  return {
    id: row.id,
    name: row.name,
    provider: findProvider(row.aaguid),
    createdAt: row.createdAt,
    lastUsedAt: row.lastUsedAt,
    backedUp: Boolean(row.backedUp),
    deviceType: row.deviceType as Passkey['deviceType'],
    transports: splitTransports(row.transports),
  }
}

/** Order and spelling are the authenticator's (WebAuthn section 5.8.4). */
export const splitTransports = (text: string) => text.split(',').filter(Boolean)

/** Bounded because every authenticated request reads all passkeys of its account. */
const maxPasskeys = 50

/** @throws ApiError invalid_request if the account has reached the maximum */
export function requirePasskeyCapacity(passkeys: Passkey[]): void {
  if (passkeys.length < maxPasskeys) return
  throw new ApiError('invalid_request', {
    fields: { passkeys: `An account has at most ${maxPasskeys} passkeys. Remove one first.` },
  })
}
