import { ApiError } from '@/lib/api/errors'
import { findProvider } from './providers'

/** What an answer says of a passkey; `provider` is who keeps it, where that is known. */
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

/** A passkey's columns beside its owner's; SQLite gives booleans as numbers where a join hides the column's type. */
export interface PasskeyRow {
  passkeyId: string | null
  name: string
  aaguid: string
  passkeyCreatedAt: Date
  lastUsedAt: Date | null
  backedUp: boolean | number | bigint
  deviceType: string
  transports: string
}

export function fromRow(row: PasskeyRow): Passkey {
  return {
    id: row.passkeyId as string,
    name: row.name,
    provider: findProvider(row.aaguid),
    createdAt: row.passkeyCreatedAt,
    lastUsedAt: row.lastUsedAt,
    backedUp: Boolean(row.backedUp),
    deviceType: row.deviceType as Passkey['deviceType'],
    transports: splitTransports(row.transports),
  }
}

/** Transports are kept in one column, comma-separated; order and spelling are the authenticator's (WebAuthn section 5.8.4). */
export const splitTransports = (text: string) => text.split(',').filter(Boolean)

/** Passkeys of one account: each is read with every request of its sessions, so they must not grow without end. */
const maxPasskeys = 50

/** @throws ApiError invalid_request if there are as many passkeys as an account may have */
export function requirePasskeyCapacity(passkeys: Passkey[]): void {
  if (passkeys.length < maxPasskeys) return
  throw new ApiError('invalid_request', {
    fields: { passkeys: `An account has at most ${maxPasskeys} passkeys. Remove one first.` },
  })
}
