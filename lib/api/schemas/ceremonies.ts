import * as z from 'zod'
import { limits } from '../limits'
import { invitation, username } from './credentials'
import { base64url, credentialId, fieldError, flag } from './fields'

/**
 * `username` may be that of the session's account; a new one keeps to `changeUsernameInput`, too. `signIn`: adding the passkey
 * counts as signing in with it.
 */
export const registrationOptionsInput = z.object({
  username: username.optional(),
  automatic: flag,
  promotion: flag,
  signIn: flag,
  invitation,
})
/** `anyAccount`: not for the session's account alone, since somebody signed in may want another one. */
export const authenticationOptionsInput = z.object({ username: username.optional(), anyAccount: flag })

/** Any object; the type takes WebAuthn's own interfaces, which have no index signature. */
const extensionResults: z.ZodType<Record<string, unknown>, object | undefined> = z
  .record(z.string(), z.unknown())
  .default({})
  .catch({})

/** What registration and authentication responses share (WebAuthn section 5.1, `PublicKeyCredential.toJSON()`). */
const credential = {
  id: credentialId,
  rawId: credentialId,
  type: z.literal('public-key', { error: fieldError({ key: 'invalid' }) }),
  clientExtensionResults: extensionResults,
}

export const registrationResponse = z.object({
  ...credential,
  /** `cross-platform`: the passkey is on another device than the browser. */
  authenticatorAttachment: z.string().nullish().catch(null),
  response: z.object({
    clientDataJSON: base64url(),
    attestationObject: base64url(),
    // Without a limit, there is an error for each of thousands before `catch` ignores them.
    transports: z.array(z.string()).max(20).default([]).catch([]),
  }),
})

export const authenticationResponse = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: base64url(),
    authenticatorData: base64url(),
    signature: base64url(),
    // Some authenticators report none as an empty one.
    userHandle: base64url(limits.userHandle)
      .or(z.literal('').transform(() => null))
      .nullish(),
  }),
})

const transport = z.enum(['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'])
const credentialDescriptor = z.object({
  id: z.string(),
  type: z.literal('public-key'),
  transports: z.array(transport).exactOptional(),
})
const userVerification = z.enum(['required', 'preferred', 'discouraged'])
const hints = z.array(z.enum(['hybrid', 'security-key', 'client-device'])).exactOptional()
const extensions = z.record(z.string(), z.unknown()).exactOptional()

/** PublicKeyCredentialCreationOptionsJSON (WebAuthn section 5.1.8). */
export const registrationOptions = z.object({
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  challenge: z.string(),
  pubKeyCredParams: z.array(z.object({ type: z.literal('public-key'), alg: z.int() })),
  timeout: z.int(),
  excludeCredentials: z.array(credentialDescriptor),
  authenticatorSelection: z.object({
    residentKey: z.literal('required'),
    requireResidentKey: z.literal(true),
    userVerification,
    authenticatorAttachment: z.enum(['platform', 'cross-platform']).exactOptional(),
  }),
  attestation: z.literal('none'),
  extensions,
  hints,
})

/** PublicKeyCredentialRequestOptionsJSON (WebAuthn section 5.1.9). */
export const authenticationOptions = z.object({
  rpId: z.string(),
  challenge: z.string(),
  timeout: z.int(),
  userVerification,
  allowCredentials: z.array(credentialDescriptor).exactOptional(),
  hints,
  extensions,
})

export type RegistrationOptions = z.infer<typeof registrationOptions>
export type AuthenticationOptions = z.infer<typeof authenticationOptions>
