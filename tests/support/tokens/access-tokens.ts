import { createECDH, hkdfSync } from 'node:crypto'
import {
  calculateJwkThumbprint,
  decodeJwt,
  decodeProtectedHeader,
  type JWTHeaderParameters,
  type JWTPayload,
  SignJWT,
} from 'jose'
import { expect } from 'playwright/test'
import type { Client } from '../client'
import { withoutUndefined } from '../without-undefined'
import { now, resign, verifyWithPublicKeys } from './tokens'

/** An access token of the client's account for this app. */
export async function accessTokenFor(client: Client, audience: string): Promise<string> {
  const answer = await client.post('/api/token', { audience })
  expect(answer.status, answer.text).toBe(200)
  return answer.body.token
}

export const verifyWithJose = (server: { url: string; origin: string }, token: string, audience: string) =>
  verifyWithPublicKeys(server, token, { audience, algorithms: ['ES256'], typ: 'at+jwt' })

const ORDER = BigInt('0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551')

/** The private key of a secret (decision 0019), without the product's code. */
export async function accessKeyOf(secret: string) {
  const c = BigInt(`0x${Buffer.from(hkdfSync('sha256', secret, '', 'latchkey/at', 40)).toString('hex')}`)
  const d = Buffer.from(((c % (ORDER - 1n)) + 1n).toString(16).padStart(64, '0'), 'hex')
  const pair = createECDH('prime256v1')
  pair.setPrivateKey(d)
  const [x = '', y = ''] = [pair.getPublicKey().subarray(1, 33), pair.getPublicKey().subarray(33)].map((part) =>
    part.toString('base64url'),
  )
  const publicKey = { kty: 'EC', crv: 'P-256', x, y }
  return { ...publicKey, d: d.toString('base64url'), kid: await calculateJwkThumbprint(publicKey) }
}

export interface AccessTokenChange {
  claims?: Record<string, unknown>
  header?: Record<string, unknown>
  /** The key to sign with instead of the secret's. */
  key?: Parameters<SignJWT['sign']>[0]
}

/** Signs an access token again with the secret's key, after changes; undefined removes a claim or header. */
export async function resignAccess(token: string, secret: string, { claims, header, key }: AccessTokenChange = {}) {
  const own = await accessKeyOf(secret)
  return new SignJWT(withoutUndefined({ ...decodeJwt(token), ...claims }) as JWTPayload)
    .setProtectedHeader(withoutUndefined({ ...decodeProtectedHeader(token), ...header }) as JWTHeaderParameters)
    .sign(key ?? { ...own, alg: 'ES256' })
}

/** The same access cookie as it is a minute after its end. */
export const expireAccess = (token: string, secret: string) =>
  resign(token, secret, { claims: { iat: now() - 360, exp: now() - 60 } })
