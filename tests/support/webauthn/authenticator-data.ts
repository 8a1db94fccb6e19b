import { createHash, generateKeyPairSync, type KeyObject } from 'node:crypto'
import type { RegistrationResponseJSON } from '@simplewebauthn/server'
import { isoCBOR } from '@simplewebauthn/server/helpers'

/** `RS256-1024` has a key that is too short to be safe. */
export type Algorithm = 'ES256' | 'EdDSA' | 'RS256' | 'RS256-1024'

export type HeldPasskey = {
  id: string
  algorithm: Algorithm
  rpId: string
  userHandle: string
  publicKey: KeyObject
  privateKey: KeyObject
}

/** How a response differs from a valid one. */
export type Tampering = {
  origin?: string
  rpId?: string
  type?: string
  challenge?: string
  crossOrigin?: boolean
  topOrigin?: string
  corruptSignature?: boolean
  signingKey?: KeyObject
  counter?: number
  /** null omits it. */
  userHandle?: string | null
  flags?: Partial<Record<keyof typeof FLAGS, boolean>>
  aaguid?: string
  id?: string
  rawId?: string
  transports?: NonNullable<RegistrationResponseJSON['response']['transports']>
  /** The COSE algorithm in the public key. */
  alg?: number
}

const FLAGS = { up: 0x01, uv: 0x04, be: 0x08, bs: 0x10, at: 0x40 }
const COSE = { ES256: -7, EdDSA: -8, RS256: -257, 'RS256-1024': -257 }

export function generateKeys(algorithm: Algorithm): { publicKey: KeyObject; privateKey: KeyObject } {
  if (algorithm === 'ES256') return generateKeyPairSync('ec', { namedCurve: 'P-256' })
  if (algorithm === 'EdDSA') return generateKeyPairSync('ed25519')
  return generateKeyPairSync('rsa', { modulusLength: algorithm === 'RS256' ? 2048 : 1024 })
}

export function sha256(data: string | Uint8Array): Buffer {
  return createHash('sha256').update(data).digest()
}

/** Authenticator data (WebAuthn section 6.1): RP id hash, flags, counter and attested credential data. */
export function authenticatorData(
  rpId: string,
  defaults: Tampering['flags'],
  tampering: Tampering,
  attested: Uint8Array = Buffer.of(),
): Buffer {
  const flags = { up: true, uv: true, be: true, bs: true, ...defaults, ...tampering.flags }
  const names = Object.keys(FLAGS) as (keyof typeof FLAGS)[]
  const bits = names.reduce((sum, name) => (flags[name] ? sum | FLAGS[name] : sum), 0)
  const counter = Buffer.alloc(4)
  counter.writeUInt32BE(tampering.counter ?? 0)
  return Buffer.concat([sha256(tampering.rpId ?? rpId), Buffer.of(bits), counter, attested])
}

/** Attested credential data (WebAuthn section 6.5.1): AAGUID, credential id and public key. */
export function attestedCredential(passkey: HeldPasskey, tampering: Tampering): Buffer {
  const aaguid = Buffer.from((tampering.aaguid ?? '00000000-0000-0000-0000-000000000000').replaceAll('-', ''), 'hex')
  const id = Buffer.from(passkey.id, 'base64url')
  const length = Buffer.alloc(2)
  length.writeUInt16BE(id.length)
  return Buffer.concat([aaguid, length, id, coseKey(passkey, tampering.alg)])
}

type CoseParameters = [number, ...(number | Uint8Array<ArrayBuffer>)[]]

/** The public key as a COSE key (RFC 9053 section 7, RFC 8230 section 4). */
export function coseKey(
  { publicKey, algorithm }: Pick<HeldPasskey, 'publicKey' | 'algorithm'>,
  alg = COSE[algorithm],
): Uint8Array<ArrayBuffer> {
  const jwk = publicKey.export({ format: 'jwk' })
  const bytes = (part: string | undefined) => new Uint8Array(Buffer.from(part ?? '', 'base64url'))
  const rsa: CoseParameters = [3, bytes(jwk.n), bytes(jwk.e)]
  const kinds: Record<Algorithm, CoseParameters> = {
    ES256: [2, 1, bytes(jwk.x), bytes(jwk.y)],
    EdDSA: [1, 6, bytes(jwk.x)],
    RS256: rsa,
    'RS256-1024': rsa,
  }
  const [kty, ...parameters] = kinds[algorithm]
  const key = new Map<number, number | Uint8Array<ArrayBuffer>>([
    [1, kty],
    [3, alg],
  ])
  for (const [index, parameter] of parameters.entries()) key.set(-1 - index, parameter)
  return isoCBOR.encode(key)
}

/** A statement about an authenticator, by its fields (WebAuthn section 8). */
export type AttestationStatement = Map<string, string | number | Uint8Array<ArrayBuffer> | Uint8Array<ArrayBuffer>[]>

/** An attestation object (WebAuthn section 6.5.4) in base64url. */
export function attestationObject(authData: Uint8Array, format = 'none', statement: AttestationStatement = new Map()) {
  const object = new Map<string, string | Uint8Array<ArrayBuffer> | AttestationStatement>([
    ['fmt', format],
    ['attStmt', statement],
    ['authData', new Uint8Array(authData)],
  ])
  return Buffer.from(isoCBOR.encode(object)).toString('base64url')
}
