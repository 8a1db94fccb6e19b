import * as z from 'zod'
import { limits } from '../limits'
import { passkey, user } from './account'
import { givenPassword, invitation, newPassword, newUsername, username } from './credentials'
import { base64url, credentialId, fieldError, flag, isPlainLine, text, time } from './fields'

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

export const signUpInput = z.object({ username: newUsername, password: newPassword, invitation })
export const signInInput = z.object({ username, password: givenPassword })

export const recoverySignInInput = z.object({
  username,
  code: z
    .string({ error: fieldError({ key: 'recovery_code_missing' }) })
    .max(limits.recoveryCode, fieldError({ key: 'too_long', max: limits.recoveryCode }))
    // More than the separators that codes are typed with.
    .regex(/[^\s-]/, fieldError({ key: 'recovery_code_missing' })),
})

export const recoverInput = z.object({
  username: text
    .trim()
    .min(1, fieldError({ key: 'username_missing' }))
    .max(limits.query, fieldError({ key: 'too_long', max: limits.query }))
    .refine(isPlainLine, fieldError({ key: 'invalid' }))
    .meta({ description: 'A username or an e-mail address' }),
})
export const askedRecovery = z.object({})

/** Any text: one that is no token is answered like one that was used. */
const recoveryToken = text
  .max(limits.recoveryCode, fieldError({ key: 'too_long', max: limits.recoveryCode }))
  .meta({ description: 'What follows # in the link of the letter' })

export const recoveryTokenInput = z.object({ token: recoveryToken })
export const recoveryPasskeyInput = registrationResponse.extend({ token: recoveryToken })
export const recoveryPasswordInput = z.object({ token: recoveryToken, password: newPassword })

export const shownRecovery = z.object({
  /** `other_browser`: this one has not asked for the letter. */
  state: z.enum(['confirm', 'waiting', 'ready', 'other_browser']),
  /** When the wait ends; null before it begins, and in another browser. */
  at: time.nullable(),
  /** Whether a password can be set. */
  passwords: z.boolean(),
})
export const confirmedRecovery = z.object({ at: time })

/** `token` goes only to clients that are not web pages. */
const session = { expiresAt: time, token: z.string().exactOptional() }

/** For `Latchkey-Step-Up`. Omitted if the passkey could verify its user but did not, or no session was opened. */
const stepUp = z.string().exactOptional()

export const signedIn = z.object({ user, ...session, stepUp })
export const registered = z.object({ user, passkey, ...session, stepUp })
/** `stepUp` goes on from the renewed session's, with the time that it had left. */
export const renewedSession = z.object({ ...session, stepUp })
