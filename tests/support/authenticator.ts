import { randomBytes, sign } from 'node:crypto'
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server'
import {
  type Algorithm,
  attestationObject,
  attestedCredential,
  authenticatorData,
  type Bend,
  generateKeys,
  type HeldPasskey,
  sha256,
} from './authenticator-data'

/** A software authenticator of a synced passkey provider (Web Authentication Level 3, sections 5.8, 6.1 and 6.5). */
export class Authenticator {
  /** Passkeys in the order of their making. */
  readonly passkeys: HeldPasskey[] = []
  readonly origin: string

  constructor(origin: string) {
    this.origin = origin
  }

  /** Makes a passkey and answers a registration ceremony. */
  create(options: PublicKeyCredentialCreationOptionsJSON, bend: Bend = {}, algorithm: Algorithm = 'ES256') {
    const id = bend.id ?? randomBytes(32).toString('base64url')
    const rpId = options.rp.id ?? new URL(this.origin).hostname
    const passkey = { id, algorithm, rpId, userHandle: options.user.id, ...generateKeys(algorithm) }
    this.passkeys.push(passkey)
    const authData = authenticatorData(rpId, { at: true }, bend, attestedCredential(passkey, bend))
    const response: RegistrationResponseJSON = {
      id,
      rawId: bend.rawId ?? id,
      type: 'public-key',
      clientExtensionResults: {},
      authenticatorAttachment: 'platform',
      response: {
        clientDataJSON: this.clientData('webauthn.create', options.challenge, bend).toString('base64url'),
        attestationObject: attestationObject(authData),
        transports: bend.transports ?? ['internal', 'hybrid'],
      },
    }
    return response
  }

  /** Answers a sign-in ceremony with the passkey made last, or the one given. */
  get(options: PublicKeyCredentialRequestOptionsJSON, bend: Bend = {}, passkey = this.passkeys.at(-1)) {
    if (!passkey) throw new Error('This authenticator holds no passkey')
    const clientData = this.clientData('webauthn.get', options.challenge, bend)
    const authData = authenticatorData(options.rpId ?? passkey.rpId, {}, bend)
    const signed = Buffer.concat([authData, sha256(clientData)])
    const hash = passkey.algorithm === 'EdDSA' ? null : 'sha256'
    const signature = sign(hash, signed, bend.signingKey ?? passkey.privateKey)
    if (bend.spoilSignature) signature[signature.length - 1] = (signature.at(-1) ?? 0) ^ 1
    const userHandle = bend.userHandle === undefined ? passkey.userHandle : bend.userHandle
    const id = bend.id ?? passkey.id
    const response: AuthenticationResponseJSON = {
      id,
      rawId: bend.rawId ?? id,
      type: 'public-key',
      clientExtensionResults: {},
      authenticatorAttachment: 'platform',
      response: {
        clientDataJSON: clientData.toString('base64url'),
        authenticatorData: authData.toString('base64url'),
        signature: signature.toString('base64url'),
        ...(userHandle !== null && { userHandle }),
      },
    }
    return response
  }

  private clientData(type: string, challenge: string, bend: Bend): Buffer {
    const data = {
      type: bend.type ?? type,
      challenge: bend.challenge ?? challenge,
      origin: bend.origin ?? this.origin,
      crossOrigin: bend.crossOrigin ?? false,
      ...(bend.topOrigin !== undefined && { topOrigin: bend.topOrigin }),
    }
    return Buffer.from(JSON.stringify(data))
  }
}
