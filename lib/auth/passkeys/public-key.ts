import { createPublicKey } from 'node:crypto'
import { cose, decodeCredentialPublicKey } from '@simplewebauthn/server/helpers'

const minRsaBits = 2048
/** Keys beyond these take milliseconds for each signature; authenticators use 2048 bits and the exponent 65537. */
const maxRsaBits = 4096
const maxRsaExponentBytes = 4

/** WebAuthn section 4, "Credential ID" */
export const longestIdBytes = 1023
export const longestKeyBytes = 4096

type Bytes = Uint8Array<ArrayBuffer>

/**
 * What keeps an RSA key from being used, as a noun phrase; null for other keys. The library accepts short keys, which can be
 * factored (NIST SP 800-131A section 3), and expensive ones.
 */
export function rsaFault(publicKey: Bytes): string | null {
  const key = decodeCredentialPublicKey(publicKey)
  if (!cose.isCOSEPublicKeyRSA(key)) return null
  const modulus = Buffer.from(key.get(cose.COSEKEYS.n) ?? []).toString('hex')
  // In bits, because leading zeros could make a short modulus look long.
  const bits = BigInt(`0x0${modulus}`).toString(2).length
  const exponentBytes = key.get(cose.COSEKEYS.e)?.length ?? 0
  if (exponentBytes > maxRsaExponentBytes)
    return `an RSA key with an exponent of ${exponentBytes} bytes, more than ${maxRsaExponentBytes}`
  return bits < minRsaBits || bits > maxRsaBits
    ? `an RSA key of ${bits} bits, not ${minRsaBits} to ${maxRsaBits}`
    : null
}

/** Whether bytes are a COSE_Key of an algorithm of ours (RFC 9053 section 7, RFC 8230 section 4) and a key that exists. */
export function isPublicKey(publicKey: Bytes): boolean {
  try {
    const jwk = toJwk(decodeCredentialPublicKey(publicKey))
    // OpenSSL rejects a point that is not on the curve.
    return jwk !== null && createPublicKey({ key: jwk, format: 'jwk' }).type === 'public'
  } catch {
    return false
  }
}

/** What keeps a passkey from being stored. SimpleWebAuthn checks neither the sizes nor whether the key exists. */
export function passkeyFault(id: string, publicKey: Bytes): string | null {
  if (Buffer.byteLength(id, 'base64url') > longestIdBytes) return `the id is longer than ${longestIdBytes} bytes`
  if (publicKey.length > longestKeyBytes) return `the key is longer than ${longestKeyBytes} bytes`
  return isPublicKey(publicKey) ? rsaFault(publicKey) : 'the key is no COSE_Key of ES256, EdDSA or RS256'
}

const { COSEALG, COSECRV, COSEKEYS } = cose

function toJwk(key: cose.COSEPublicKey) {
  const algorithm = key.get(COSEKEYS.alg)
  if (cose.isCOSEPublicKeyEC2(key) && algorithm === COSEALG.ES256 && key.get(COSEKEYS.crv) === COSECRV.P256)
    return { kty: 'EC', crv: 'P-256', x: text(key.get(COSEKEYS.x)), y: text(key.get(COSEKEYS.y)) }
  if (cose.isCOSEPublicKeyOKP(key) && algorithm === COSEALG.EdDSA && key.get(COSEKEYS.crv) === COSECRV.ED25519)
    return { kty: 'OKP', crv: 'Ed25519', x: text(key.get(COSEKEYS.x)) }
  if (cose.isCOSEPublicKeyRSA(key) && algorithm === COSEALG.RS256)
    return { kty: 'RSA', n: text(key.get(COSEKEYS.n)), e: text(key.get(COSEKEYS.e)) }
  return null
}

const text = (bytes: Uint8Array | undefined) => Buffer.from(bytes ?? []).toString('base64url')
