import type { RsaKey } from '@/lib/api/schemas'
import { isUnavailable } from '@/lib/database/errors'
import { log } from '@/lib/process/log'
import { singleton } from '@/lib/process/singleton'
import { settings } from '@/lib/settings/settings'
import { dropEarlierKeys, makeKey, openKey, type StoredKey, storedKeys, storedPublicKey } from './key-store'

/** Apps keep key sets for long, so a key is published before it signs. */
const publishedBefore = 24 * 3_600_000

const algorithm = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }

/** By `kid`: importing takes longer than signing. */
const imported = (use: 'sign' | 'verify') => singleton(`rsa-keys/${use}`, () => new Map<string, CryptoKey>())

export interface SigningKey {
  kid: string
  sign: CryptoKey
}

/** The key that signs now. The keys are read each time, so that a rotation takes effect at once. */
export async function signingKey(): Promise<SigningKey> {
  const found = await openFirst(await dueKeys())
  if (found) return found
  // Nothing signs any more, for example because JWT_SECRET was replaced without JWT_SECRET_PREVIOUS.
  await makeKey((await storedKeys())[0]?.sequence ?? 0, Date.now())
  const made = await openFirst(await dueKeys())
  if (!made) throw new Error('no signing key can be opened: do all instances have the same JWT_SECRET?')
  return made
}

async function dueKeys(): Promise<StoredKey[]> {
  const now = Date.now()
  return (await storedKeys(now)).filter(({ signsFrom }) => signsFrom <= now)
}

async function openFirst(keys: StoredKey[]): Promise<SigningKey | null> {
  for (const key of keys) {
    const sign = imported('sign').get(key.kid) ?? (await importPrivate(key))
    if (sign) return { kid: key.kid, sign }
  }
  return null
}

async function importPrivate(key: StoredKey): Promise<CryptoKey | null> {
  const privateKey = await openKey(key)
  if (!privateKey) {
    singleton(`unopened-key/${key.kid}`, () => logUnopened(key.kid))
    return null
  }
  const sign = await crypto.subtle.importKey('pkcs8', new Uint8Array(privateKey), algorithm, false, ['sign'])
  imported('sign').set(key.kid, sign)
  return sign
}

const logUnopened = (kid: string) =>
  log().error(
    `the signing key ${kid} cannot be opened with this JWT_SECRET, so another signs. If JWT_SECRET was replaced, start once with the old one as JWT_SECRET_PREVIOUS. If the old one is known to others, run: npm run accounts -- signing-key rotate --now`,
  )

/** The public keys of what apps get. While the database is away, those that this process saw last. */
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

/** @param expired whether also a key that is no longer published suffices */
export async function verificationKey(kid: string, expired: boolean): Promise<CryptoKey | null> {
  const jwk = expired ? await storedPublicKey(kid) : (await storedKeys()).find((key) => key.kid === kid)?.publicKey
  if (!jwk) return null
  const known = imported('verify').get(jwk.kid)
  if (known) return known
  const { kty, n, e } = jwk
  const verify = await crypto.subtle.importKey('jwk', { kty, n, e }, algorithm, false, ['verify'])
  imported('verify').set(jwk.kid, verify)
  return verify
}

/** Makes the first key, unless there is one. Commands that race agree on one. */
export async function requireSigningKey(): Promise<void> {
  if ((await storedKeys()).length === 0) await makeKey(0, Date.now())
}

/** At the start, while the secret changes: seals with JWT_SECRET what JWT_SECRET_PREVIOUS had sealed. */
export async function resealKeys(): Promise<void> {
  if (settings().previousSecret) for (const key of await storedKeys()) await openKey(key)
}

/**
 * Makes the next key. It is published at once and signs after a day, or with `atOnce` now, and then no other is
 * published. Null if another command has made it.
 */
export async function rotateKeys(atOnce: boolean): Promise<{ kid: string; signsFrom: number } | null> {
  const signsFrom = atOnce ? Date.now() : Date.now() + publishedBefore
  const last = (await storedKeys())[0]?.sequence ?? 0
  if (!(await makeKey(last, signsFrom))) return null
  if (atOnce) await dropEarlierKeys(last + 1)
  const made = (await storedKeys()).find(({ sequence }) => sequence === last + 1)
  return made ? { kid: made.kid, signsFrom } : null
}
