import { createPrivateKey, createPublicKey, type JsonWebKey } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { EventType } from '@/lib/api/schemas'
import type { ListedEvent } from '../events'
import type { Authenticator } from '../webauthn/authenticator'
import type { HeldPasskey } from '../webauthn/authenticator-data'
import { executeSql } from './sql'

/** What the owner of a kept account has, and what the version that kept it showed. */
export type KeptAccount = {
  /** The commit whose server wrote the database, and when. */
  commit: string
  at: string
  /** JWT_SECRET. */
  secret: string
  id: string
  username: string
  password: string
  passkey: Omit<HeldPasskey, 'publicKey' | 'privateKey'> & { privateKey: JsonWebKey }
  /** An unused one; null where the version had none. */
  recoveryCode: string | null
  /** The token of a session that was open. */
  session: string
  /** What must not sign anybody in: a recovery code that was used, and the token of a session that was signed out. */
  over: { recoveryCode: string | null; session: string }
  /** The bodies of `/api/i` and, where the version had them, its events and sessions. */
  seen: { account: Record<string, unknown>; events: (ListedEvent & { type: EventType })[]; sessions: object[] }
}

const folder = resolve(import.meta.dirname, '../../upgrades')

/** The schemas of which databases are kept, each by its newest migration; oldest first. */
export const keptSchemas = readdirSync(folder)
  .filter((name) => /^\d/.test(name))
  .sort()

/** Puts a kept database where a server will look for it. @returns its account */
export function placeKeptDatabase(schema: string, databaseUrl: string): KeptAccount {
  const isPostgres = databaseUrl.startsWith('postgresql:')
  const read = (name: string) => readFileSync(resolve(folder, schema, name))
  if (isPostgres) executeSql(databaseUrl, read('postgresql.sql').toString())
  else writeFileSync(databaseUrl.slice('file:'.length), gunzipSync(read('sqlite.db.gz')))
  return JSON.parse(read(isPostgres ? 'postgresql.json' : 'sqlite.json').toString())
}

/** Hands the kept passkey to an authenticator. */
export function holdPasskey({ passkeys }: Authenticator, { passkey }: KeptAccount): void {
  const privateKey = createPrivateKey({ key: passkey.privateKey, format: 'jwk' })
  passkeys.push({ ...passkey, privateKey, publicKey: createPublicKey(privateKey) })
}
