import type { RsaKey } from '@/lib/api/schemas'
import { isUnavailable } from '@/lib/database/errors'
import { log } from '@/lib/process/log'
import { singleton } from '@/lib/process/singleton'
import { settings } from '@/lib/settings/settings'
import { makeKey, openKey, type StoredKey, storedKeys, storedPublicKey } from './key-store'

/** Apps cache key sets, so a key is published before it signs. */
const publishedMilliseconds = 24 * 3_600_000

const algorithm = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }

/** By `kid`: importing takes longer than signing. */
const imported = (use: 'sign' | 'verify') => singleton(`rsa-keys/${use}`, () => new Map<string, CryptoKey>())

export interface SigningKey {
  kid: string
  privateKey: CryptoKey
}

/** Read each time, so that a rotation takes effect at once. */
export async function signingKey(): Promise<SigningKey> {
  const found = await openFirst(await dueKeys())
  if (found) return found
  // Nothing signs any more, for example because JWT_SECRET was replaced without JWT_SECRET_PREVIOUS.
  await makeKey({ after: await lastSequence(), signsFrom: Date.now() })
  const made = await openFirst(await dueKeys())
  if (!made) throw new Error('no signing key can be opened: do all instances have the same JWT_SECRET?')
  return made
}

const lastSequence = async () => (await storedKeys())[0]?.sequence ?? 0

async function dueKeys(): Promise<StoredKey[]> {
  const now = Date.now()
  return (await storedKeys(now)).filter(({ signsFrom }) => signsFrom <= now)
}

async function openFirst(keys: StoredKey[]): Promise<SigningKey | null> {
  for (const key of keys) {
    const privateKey = imported('sign').get(key.kid) ?? (await importPrivate(key))
    if (privateKey) return { kid: key.kid, privateKey }
  }
  return null
}

async function importPrivate(key: StoredKey): Promise<CryptoKey | null> {
  const opened = await openKey(key)
  if (!opened) {
    singleton(`unopened-key/${key.kid}`, () => logUnopened(key.kid))
    return null
  }
  const privateKey = await crypto.subtle.importKey('pkcs8', new Uint8Array(opened), algorithm, false, ['sign'])
  imported('sign').set(key.kid, privateKey)
  return privateKey
}

const logUnopened = (kid: string) =>
  log().error(
    `the signing key ${kid} cannot be opened with this JWT_SECRET, so another signs. If JWT_SECRET was replaced, start once with the old one as JWT_SECRET_PREVIOUS. If the old one is known to others, run: npm run accounts -- signing-key rotate --now`,
  )

/** While the database is unavailable, those that this process read last. */
export async function publicKeys(): Promise<RsaKey[]> {
  const last = singleton('rsa-public-keys', () => ({ keys: null as RsaKey[] | null }))
  try {
    last.keys = (await storedKeys()).map(({ publicKey }) => publicKey)
    return last.keys
  } catch (error) {
    if (isUnavailable(error) && last.keys) return last.keys
    throw error
  }
}

/** With `expired`, also a key that is no longer published. */
export async function verificationKey(kid: string, { expired = false } = {}): Promise<CryptoKey | null> {
  const jwk = expired ? await storedPublicKey(kid) : (await storedKeys()).find((key) => key.kid === kid)?.publicKey
  if (!jwk) return null
  const known = imported('verify').get(jwk.kid)
  if (known) return known
  const { kty, n, e } = jwk
  const verify = await crypto.subtle.importKey('jwk', { kty, n, e }, algorithm, false, ['verify'])
  imported('verify').set(jwk.kid, verify)
  return verify
}

/** Makes the first key unless there is one. Concurrent commands agree on one. */
export async function requireSigningKey(): Promise<void> {
  if ((await storedKeys()).length === 0) await makeKey({ after: 0, signsFrom: Date.now() })
}

/** At startup: seals with JWT_SECRET what JWT_SECRET_PREVIOUS had sealed. */
export async function resealKeys(): Promise<void> {
  if (settings().previousSecret) for (const key of await storedKeys()) await openKey(key)
}

/** Makes a key that is published now and signs after a day; `atOnce` also drops the others. Null if another command won. */
export async function rotateKeys({ atOnce }: { atOnce: boolean }): Promise<{ kid: string; signsFrom: number } | null> {
  const signsFrom = atOnce ? Date.now() : Date.now() + publishedMilliseconds
  const last = await lastSequence()
  if (!(await makeKey({ after: last, signsFrom, dropsEarlier: atOnce }))) return null
  const made = (await storedKeys()).find(({ sequence }) => sequence === last + 1)
  return made ? { kid: made.kid, signsFrom } : null
}
