import { createDecipheriv, createPrivateKey, createPublicKey, hkdfSync } from 'node:crypto'
import { decodeJwt, decodeProtectedHeader, type JWTHeaderParameters, SignJWT } from 'jose'
import type { Server } from '../server/server'
import { readSql } from '../storage/sql'

/** Opens a stored key as decision 36 describes it, without the product's code. Throws if the secret is another. */
export function openSealed(url: string, secret: string, sequence = 1) {
  const [kid = ''] = readSql(url, `SELECT "kid" FROM "SigningKey" WHERE "sequence" = ${sequence}`)
  const [sealed = ''] = readSql(url, `SELECT "sealed" FROM "SigningKey" WHERE "sequence" = ${sequence}`)
  const bytes = Buffer.from(sealed, 'base64url')
  const key = new Uint8Array(hkdfSync('sha256', secret, '', 'latchkey/signing-key', 32))
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12)).setAAD(Buffer.from(kid))
  decipher.setAuthTag(bytes.subarray(-16))
  const der = Buffer.concat([decipher.update(bytes.subarray(12, -16)), decipher.final()])
  const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
  return { kid, sealed, jwk: createPublicKey(privateKey).export({ format: 'jwk' }), privateKey }
}

/** Signs a token that an app got again with the server's own key, after changes. */
export function resignForApp(server: Server, token: string, changes: Record<string, unknown>): Promise<string> {
  const { privateKey } = openSealed(server.databaseUrl, server.secret)
  return new SignJWT({ ...decodeJwt(token), ...changes })
    .setProtectedHeader(decodeProtectedHeader(token) as JWTHeaderParameters)
    .sign(privateKey)
}
