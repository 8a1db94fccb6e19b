import { hkdfSync } from 'node:crypto'

/**
 * A key for one purpose, so that a value made for one is worthless for another and none reveals the secret
 * (HKDF-SHA-256, RFC 5869, empty salt).
 *
 * @param info names the purpose, for example `latchkey/rate-limit`
 */
export const deriveKey = (secret: Uint8Array, info: string, bytes = 32): Uint8Array<ArrayBuffer> =>
  new Uint8Array(hkdfSync('sha256', secret, new Uint8Array(), info, bytes))
