import { generateKeyPair } from 'node:crypto'
import { promisify } from 'node:util'
import { calculateJwkThumbprint } from 'jose'
import type { RsaKey } from '@/lib/api/schemas'
import { database } from '@/lib/database/client'
import { flushed, readRows, type SqlInteger } from '@/lib/database/direct-sql'
import { isConflict } from '@/lib/database/errors'
import { transaction } from '@/lib/database/transaction'
import { keptMilliseconds } from '../token-lifetime'
import { seal, unseal } from './sealed-key'

export interface StoredKey {
  kid: string
  sequence: number
  publicKey: RsaKey
  sealed: string
  /** Milliseconds since 1970 */
  signsFrom: number
}

interface KeyRow extends Omit<StoredKey, 'sequence' | 'publicKey' | 'signsFrom'> {
  sequence: SqlInteger
  publicKey: string
  signsFrom: SqlInteger
}

/** Keys whose tokens may still be valid, and those that will sign; the newest first. */
export async function storedKeys(now = Date.now()): Promise<StoredKey[]> {
  const rows = await readRows<KeyRow>`
    SELECT k."kid", k."sequence", k."publicKey", k."sealed", k."signsFrom" FROM "SigningKey" k
    WHERE k."expiresAt" IS NULL OR k."expiresAt" > ${BigInt(now)} ORDER BY k."sequence" DESC`
  return rows.map((row) => ({
    ...row,
    sequence: Number(row.sequence),
    publicKey: JSON.parse(row.publicKey),
    signsFrom: Number(row.signsFrom),
  }))
}

/** Also of a key that is no longer published: for tokens that may have expired. */
export async function storedPublicKey(kid: string): Promise<RsaKey | undefined> {
  const [row] = await readRows<Pick<KeyRow, 'publicKey'>>`
    SELECT k."publicKey" FROM "SigningKey" k WHERE k."kid" = ${kid}`
  return row && JSON.parse(row.publicKey)
}

const generate = promisify(generateKeyPair)

interface NextKey {
  /** The sequence number that it follows */
  after: number
  /** Milliseconds since 1970 */
  signsFrom: number
  /** Drops earlier keys, whose tokens are invalid from now on; else each expires after its last token. */
  dropsEarlier?: boolean
}

/**
 * Makes the next key. The unique key admits one of several processes.
 *
 * @returns false if another was faster
 */
export async function makeKey({ after, signsFrom, dropsEarlier = false }: NextKey): Promise<boolean> {
  const pair = await generate('rsa', { modulusLength: 2048 })
  const { n = '', e = '' } = pair.publicKey.export({ format: 'jwk' })
  const kid = await calculateJwkThumbprint({ kty: 'RSA', n, e })
  const publicKey: RsaKey = { kty: 'RSA', n, e, kid, alg: 'RS256', use: 'sig' }
  const sealed = seal(pair.privateKey.export({ format: 'der', type: 'pkcs8' }), kid)
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
export async function openKey({ kid, sealed }: StoredKey): Promise<Buffer | null> {
  const opened = unseal(sealed, kid)
  if (opened && !opened.current)
    await flushed.changes`
      UPDATE "SigningKey" SET "sealed" = ${seal(opened.privateKey, kid)} WHERE "kid" = ${kid} AND "sealed" = ${sealed}`
  return opened?.privateKey ?? null
}
