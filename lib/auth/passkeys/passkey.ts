import { ApiError } from '@/lib/api/errors'
import { limits } from '@/lib/api/limits'
import type { Passkey } from '@/lib/api/schemas'
import { findProvider } from './providers'

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
    createdAt: row.passkeyCreatedAt.toISOString(),
    lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
    backedUp: Boolean(row.backedUp),
    deviceType: row.deviceType as Passkey['deviceType'],
    transports: splitTransports(row.transports),
  }
}

/** Transports are kept in one column, comma-separated; order and spelling are the authenticator's (WebAuthn section 5.8.4). */
export const splitTransports = (text: string) => text.split(',').filter(Boolean)

/** @throws ApiError invalid_request if there are as many passkeys as an account may have */
export function requirePasskeyCapacity(passkeys: Passkey[]): void {
  if (passkeys.length < limits.passkeys) return
  throw new ApiError('invalid_request', { fields: { passkeys: { key: 'too_many_passkeys', max: limits.passkeys } } })
}
