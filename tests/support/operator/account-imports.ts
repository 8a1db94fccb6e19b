import { randomBytes } from 'node:crypto'
import type { Server } from '../server/server'
import type { Authenticator } from '../webauthn/authenticator'
import { type Algorithm, coseKey } from '../webauthn/authenticator-data'
import { accountsWith } from './accounts-command'
import { settingsOf } from './command'

export const ndjson = (rows: unknown[]) =>
  rows.map((row) => (typeof row === 'string' ? row : JSON.stringify(row))).join('\n')

/** Runs `accounts import - --json` beside a server. A row that is a string goes in as it is. */
export async function importRows(server: Server, rows: unknown[]) {
  const { code, stdout, stderr } = await accountsWith(settingsOf(server), ['import', '-', '--json'], ndjson(rows))
  return { code, stderr, answer: JSON.parse(stdout) }
}

/** A passkey that another product made, as a row has it. The authenticator holds it under `userHandle`. */
export function strangePasskey(
  authenticator: Authenticator,
  userHandle = randomBytes(16).toString('base64url'),
  algorithm?: Algorithm,
) {
  const rp = { id: new URL(authenticator.origin).hostname, name: 'another product' }
  const user = { id: userHandle, name: '', displayName: '' }
  const { id } = authenticator.create({ rp, user, challenge: '', pubKeyCredParams: [] }, {}, algorithm)
  const held = authenticator.passkeys.at(-1)
  return { id, publicKey: Buffer.from(held ? coseKey(held) : []).toString('base64url') }
}
