import { generateKeyPair } from 'node:crypto'
import { promisify } from 'node:util'
import { calculateJwkThumbprint } from 'jose'
import type { RsaKey } from '@/lib/api/schemas'
import { database, transaction } from '@/lib/database/client'
import { isConflict, isUnavailable } from '@/lib/database/errors'
import { flushed, readRows, type SqlRow } from '@/lib/database/sql'
import { log } from '@/lib/process/log'
import { singleton } from '@/lib/process/singleton'
import { seal, unseal } from '@/lib/settings/keys'
import { settings } from '@/lib/settings/settings'
import { keptMilliseconds } from './claims'

/** We publish a key this long before it signs, because apps cache key sets. */
const publishedMilliseconds = 24 * 3_600_000

const algorithm = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }

/** Keeps imported keys by `kid`, because importing takes longer than signing. */
const imported = (use: 'sign' | 'verify') => singleton(`rsa-keys/${use}`, () => new Map<string, CryptoKey>())

export interface SigningKey {
  kid: string
  privateKey: CryptoKey
}

/** Finds the key that signs now, from the database each time, so that a rotation takes effect at once. */
export async function signingKey(): Promise<SigningKey> {
  const found = await openFirst(await dueKeys())
  if (found) return found
  // No stored key opens, for example because an operator replaced JWT_SECRET without JWT_SECRET_PREVIOUS.
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

/** The keys to publish; while the database is unavailable, those that this process read last. */
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

/** Finds the key that verifies a token, also one that we no longer publish. */
export async function verificationKey(kid: string): Promise<CryptoKey | null> {
  const jwk = await storedPublicKey(kid)
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

/** At startup, seals with JWT_SECRET the keys that JWT_SECRET_PREVIOUS had sealed. */
export async function resealKeys(): Promise<void> {
  if (settings().previousSecret) for (const key of await storedKeys()) await openKey(key)
}

/**
 * Makes a key and publishes it; it signs after a day. `atOnce` lets it sign now and drops the others. Null if another command
 * won.
 */
export async function rotateKeys({ atOnce }: { atOnce: boolean }): Promise<{ kid: string; signsFrom: number } | null> {
  const signsFrom = atOnce ? Date.now() : Date.now() + publishedMilliseconds
  const last = await lastSequence()
  if (!(await makeKey({ after: last, signsFrom, dropsEarlier: atOnce }))) return null
  const made = (await storedKeys()).find(({ sequence }) => sequence === last + 1)
  return made ? { kid: made.kid, signsFrom } : null
}

interface StoredKey {
  kid: string
  sequence: number
  publicKey: RsaKey
  sealed: string
  /** Milliseconds since 1970 */
  signsFrom: number
}

/** Keys whose tokens may still be valid, and those that will sign; the newest first. */
async function storedKeys(now = Date.now()): Promise<StoredKey[]> {
  const rows = await readRows<SqlRow<'SigningKey', keyof StoredKey>>`
    SELECT k."kid", k."sequence", k."publicKey", k."sealed", k."signsFrom" FROM "SigningKey" k
    WHERE k."expiresAt" IS NULL OR k."expiresAt" > ${BigInt(now)} ORDER BY k."sequence" DESC`
  return rows.map((row) => ({
    ...row,
    publicKey: JSON.parse(row.publicKey),
    signsFrom: Number(row.signsFrom),
  }))
}

/** Reads the key of a token that may have expired, even if we no longer publish the key. */
async function storedPublicKey(kid: string): Promise<RsaKey | undefined> {
  const [row] = await readRows<SqlRow<'SigningKey', 'publicKey'>>`
    SELECT k."publicKey" FROM "SigningKey" k WHERE k."kid" = ${kid}`
  return row && JSON.parse(row.publicKey)
}

const sealingPurpose = 'latchkey/signing-key'

const generate = promisify(generateKeyPair)

interface NextKey {
  /** The sequence number that it follows */
  after: number
  /** Milliseconds since 1970 */
  signsFrom: number
  /** Drops earlier keys, whose tokens are invalid from now on; else each expires after its last token */
  dropsEarlier?: boolean
}

/**
 * Makes the next key. The unique key admits one of several processes.
 *
 * @returns false if another was faster
 */
async function makeKey({ after, signsFrom, dropsEarlier = false }: NextKey): Promise<boolean> {
  const pair = await generate('rsa', { modulusLength: 2048 })
  const { n = '', e = '' } = pair.publicKey.export({ format: 'jwk' })
  const kid = await calculateJwkThumbprint({ kty: 'RSA', n, e })
  const publicKey: RsaKey = { kty: 'RSA', n, e, kid, alg: 'RS256', use: 'sig' }
  const sealed = seal(sealingPurpose, pair.privateKey.export({ format: 'der', type: 'pkcs8' }), kid)
  const db = await database()
  const data = { kid, sequence: after + 1, publicKey: JSON.stringify(publicKey), sealed, signsFrom: BigInt(signsFrom) }
  try {
    await transaction(db, {
      key: db.signingKey.create({ data }),
      earlier: dropsEarlier
        ? db.signingKey.deleteMany({ where: { sequence: { lte: after } } })
        : db.signingKey.updateMany({
            where: { sequence: { lte: after }, expiresAt: null },
            data: { expiresAt: BigInt(signsFrom + keptMilliseconds) },
          }),
    })
    return true
  } catch (error) {
    if (isConflict(error)) return false
    throw error
  }
}

/** Seals the key again if JWT_SECRET_PREVIOUS had sealed it. @returns null if no secret opens it */
async function openKey({ kid, sealed }: StoredKey): Promise<Buffer | null> {
  const opened = unseal(sealingPurpose, sealed, kid)
  if (opened && !opened.current)
    await flushed.changes`
      UPDATE "SigningKey" SET "sealed" = ${seal(sealingPurpose, opened.content, kid)} WHERE "kid" = ${kid} AND "sealed" = ${sealed}`
  return opened?.content ?? null
}
