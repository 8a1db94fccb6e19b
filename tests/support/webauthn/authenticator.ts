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
  generateKeys,
  type HeldPasskey,
  sha256,
  type Tampering,
} from './authenticator-data'

/** A software authenticator of a synced passkey provider (Web Authentication Level 3, sections 5.8, 6.1 and 6.5). */
export class Authenticator {
  /** Oldest first. */
  readonly passkeys: HeldPasskey[] = []
  readonly origin: string

  constructor(origin: string) {
    this.origin = origin
  }

  /** Creates a passkey. @returns the registration response */
  create(options: PublicKeyCredentialCreationOptionsJSON, tampering: Tampering = {}, algorithm: Algorithm = 'ES256') {
    const id = tampering.id ?? randomBytes(32).toString('base64url')
    const rpId = options.rp.id ?? new URL(this.origin).hostname
    const passkey = { id, algorithm, rpId, userHandle: options.user.id, ...generateKeys(algorithm) }
    this.passkeys.push(passkey)
    const authData = authenticatorData(rpId, { at: true }, tampering, attestedCredential(passkey, tampering))
    const response: RegistrationResponseJSON = {
      id,
      rawId: tampering.rawId ?? id,
      type: 'public-key',
      clientExtensionResults: {},
      authenticatorAttachment: 'platform',
      response: {
        clientDataJSON: this.clientData('webauthn.create', options.challenge, tampering).toString('base64url'),
        attestationObject: attestationObject(authData),
        transports: tampering.transports ?? ['internal', 'hybrid'],
      },
    }
    return response
  }

  /** Authenticates with the newest passkey, or the one given. @returns the authentication response */
  get(options: PublicKeyCredentialRequestOptionsJSON, tampering: Tampering = {}, passkey = this.passkeys.at(-1)) {
    if (!passkey) throw new Error('This authenticator holds no passkey')
    const clientData = this.clientData('webauthn.get', options.challenge, tampering)
    const authData = authenticatorData(options.rpId ?? passkey.rpId, {}, tampering)
    const signed = Buffer.concat([authData, sha256(clientData)])
    const hash = passkey.algorithm === 'EdDSA' ? null : 'sha256'
    const signature = sign(hash, signed, tampering.signingKey ?? passkey.privateKey)
    if (tampering.corruptSignature) signature[signature.length - 1] = (signature.at(-1) ?? 0) ^ 1
    const userHandle = tampering.userHandle === undefined ? passkey.userHandle : tampering.userHandle
    const id = tampering.id ?? passkey.id
    const response: AuthenticationResponseJSON = {
      id,
      rawId: tampering.rawId ?? id,
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

  private clientData(type: string, challenge: string, tampering: Tampering): Buffer {
    const data = {
      type: tampering.type ?? type,
      challenge: tampering.challenge ?? challenge,
      origin: tampering.origin ?? this.origin,
      crossOrigin: tampering.crossOrigin ?? false,
      ...(tampering.topOrigin !== undefined && { topOrigin: tampering.topOrigin }),
    }
    return Buffer.from(JSON.stringify(data))
  }
}
