import { decodeAttestationObject, isoBase64URL, isoCBOR } from '@simplewebauthn/server/helpers'

/**
 * An attestation object of format `none` (WebAuthn section 6.5.4) with the authenticator data of the one given. The options
 * ask for no statement, and verifying one all the same would fetch the revocation lists that its sender's own
 * certificates name: any URL, of any size.
 *
 * @throws on malformed CBOR
 */
export function withoutStatement(attestationObject: string): string {
  const authData = decodeAttestationObject(isoBase64URL.toBuffer(attestationObject)).get('authData')
  const object = new Map<string, string | typeof authData | Map<string, string>>([
    ['fmt', 'none'],
    ['attStmt', new Map()],
    ['authData', authData],
  ])
  return isoBase64URL.fromBuffer(isoCBOR.encode(object))
}
