import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

/*
 * A software authenticator (Web Authentication Level 3, sections 6.1 to 6.5): ES256, attestation `none`, always present and
 * verified, with a counter that stays 0 (section 6.1.1), so that one key may sign in from many places at once.
 */

/** A passkey and its private key. Whoever reads it can sign in. */
export interface Passkey {
  /** In base64url, as everywhere here */
  credentialId: string
  privateKey: PrivateJwk
  userHandle: string
  rpId: string
}

export interface PrivateJwk {
  kty: 'EC'
  crv: 'P-256'
  x: string
  y: string
  d: string
}

/** The part of `POST /api/auth/register/options` that an authenticator needs. */
export interface CreationOptions {
  challenge: string
  rp: { id?: string }
  user: { id: string }
}

/** The part of `POST /api/auth/login/options` that an authenticator needs. */
export interface AssertionOptions {
  challenge: string
}

const flags = { userPresent: 0x01, userVerified: 0x04, attestedCredential: 0x40 }

/**
 * Creates a passkey.
 *
 * @param origin of the page that asks
 * @returns the passkey, and the answer for `POST /api/auth/register/verify`
 */
export function createPasskey({ challenge, rp, user }: CreationOptions, origin: string) {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const passkey: Passkey = {
    credentialId: randomBytes(32).toString('base64url'),
    privateKey: privateKey.export({ format: 'jwk' }) as PrivateJwk,
    userHandle: user.id,
    rpId: rp.id ?? new URL(origin).hostname,
  }
  const attested = attestedCredential(passkey)
  const authData = authenticatorData(passkey.rpId, { attested })
  const attestation = map(['fmt', text('none')], ['attStmt', map()], ['authData', bytes(authData)])
  const response = {
    clientDataJSON: clientData('webauthn.create', challenge, origin).toString('base64url'),
    attestationObject: attestation.toString('base64url'),
    transports: ['internal' as const],
  }
  return { passkey, answer: credential(passkey, response) }
}

/**
 * Signs a challenge.
 *
 * @param origin of the page that asks
 * @param counter of an authenticator that counts
 * @returns the answer for `POST /api/auth/login/verify`
 */
export function signWithPasskey(passkey: Passkey, { challenge }: AssertionOptions, origin: string, counter = 0) {
  const json = clientData('webauthn.get', challenge, origin)
  const authData = authenticatorData(passkey.rpId, { counter })
  const key = createPrivateKey({ key: { ...passkey.privateKey }, format: 'jwk' })
  const signature = sign('sha256', Buffer.concat([authData, sha256(json)]), key)
  return credential(passkey, {
    clientDataJSON: json.toString('base64url'),
    authenticatorData: authData.toString('base64url'),
    signature: signature.toString('base64url'),
    userHandle: passkey.userHandle,
  })
}

/** A passkey as Playwright's `context.credentials` has it: both keys in DER. */
export interface PlaywrightPasskey {
  id: string
  rpId: string
  userHandle: string
  privateKey: string
  publicKey: string
  signCount: number
}

export function toPlaywright({ credentialId, privateKey, rpId, userHandle }: Passkey): PlaywrightPasskey {
  const { d: _, ...publicJwk } = privateKey
  const der = {
    privateKey: createPrivateKey({ key: { ...privateKey }, format: 'jwk' }).export({ format: 'der', type: 'pkcs8' }),
    publicKey: createPublicKey({ key: publicJwk, format: 'jwk' }).export({ format: 'der', type: 'spki' }),
  }
  return {
    id: credentialId,
    rpId,
    userHandle,
    privateKey: der.privateKey.toString('base64url'),
    publicKey: der.publicKey.toString('base64url'),
    signCount: 0,
  }
}

export function fromPlaywright({ id, privateKey, rpId, userHandle }: PlaywrightPasskey): Passkey {
  const key = createPrivateKey({ key: Buffer.from(privateKey, 'base64url'), format: 'der', type: 'pkcs8' })
  return { credentialId: id, privateKey: key.export({ format: 'jwk' }) as PrivateJwk, userHandle, rpId }
}

const credential = <R>({ credentialId }: Passkey, response: R) => ({
  id: credentialId,
  rawId: credentialId,
  type: 'public-key' as const,
  authenticatorAttachment: 'platform' as const,
  clientExtensionResults: {},
  response,
})

const clientData = (type: string, challenge: string, origin: string) =>
  Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))

const sha256 = (data: string | Uint8Array) => createHash('sha256').update(data).digest()

/** Section 6.1: hash of the RP ID, flags, counter, attested credential. */
function authenticatorData(rpId: string, { counter = 0, attested }: { counter?: number; attested?: Buffer }): Buffer {
  const bits = flags.userPresent | flags.userVerified | (attested ? flags.attestedCredential : 0)
  const fixed = Buffer.alloc(5)
  fixed.writeUInt8(bits)
  fixed.writeUInt32BE(counter, 1)
  return Buffer.concat([sha256(rpId), fixed, ...(attested ? [attested] : [])])
}

/** Section 6.5.1: an AAGUID of zeros, the credential's id, and its public key as COSE (RFC 9053 section 7.1.1). */
function attestedCredential({ credentialId, privateKey: { x, y } }: Passkey): Buffer {
  const id = Buffer.from(credentialId, 'base64url')
  const length = Buffer.alloc(2)
  length.writeUInt16BE(id.length)
  const coseKey = map(
    [1, integer(2)],
    [3, integer(-7)],
    [-1, integer(1)],
    [-2, bytes(Buffer.from(x, 'base64url'))],
    [-3, bytes(Buffer.from(y, 'base64url'))],
  )
  return Buffer.concat([Buffer.alloc(16), length, id, coseKey])
}

/* The little of CBOR (RFC 8949 section 3.1) that an attestation needs. */

function head(major: number, value: number): Buffer {
  const first = major << 5
  if (value < 24) return Buffer.of(first | value)
  return value < 256 ? Buffer.of(first | 24, value) : Buffer.of(first | 25, value >> 8, value & 255)
}

const integer = (value: number) => (value < 0 ? head(1, -1 - value) : head(0, value))
const bytes = (value: Buffer) => Buffer.concat([head(2, value.length), value])
const text = (value: string) => Buffer.concat([head(3, value.length), Buffer.from(value)])
const map = (...entries: [string | number, Buffer][]) =>
  Buffer.concat([
    head(5, entries.length),
    ...entries.flatMap(([key, value]) => [typeof key === 'string' ? text(key) : integer(key), value]),
  ])
