import * as z from 'zod'
import { limits } from '../limits'
import { passkey, user } from '../schemas/account'
import { givenPassword, invitation, newPassword, newUsername, username } from '../schemas/credentials'
import { base64url, credentialId, fieldError, flag, isPlainLine, text, time } from '../schemas/fields'
import type { Endpoints } from './endpoint'

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

export const signInEndpoints = {
  'POST /api/signup': {
    caller: 'anyone',
    usesPassword: true,
    body: signUpInput,
    results: { 201: signedIn },
    errors: ['authentication_failed', 'sign_up_closed', 'passkey_required', 'username_taken', 'too_many_attempts'],
    summary: 'Creates an account with a password and opens a session',
  },
  'POST /api/signin': {
    caller: 'anyone',
    usesPassword: true,
    body: signInInput,
    results: { 200: signedIn },
    errors: ['authentication_failed', 'account_disabled', 'too_many_attempts'],
    summary: 'Signs in with a password and opens a session',
  },
  'POST /api/signin/recovery': {
    caller: 'anyone',
    body: recoverySignInInput,
    results: { 200: signedIn },
    errors: ['authentication_failed', 'account_disabled', 'too_many_attempts'],
    summary: 'Signs in with a recovery code, which is used up, and opens a session',
  },
  'POST /api/recover': {
    caller: 'anyone',
    usesRecovery: true,
    body: recoverInput,
    results: { 202: askedRecovery },
    errors: [],
    summary:
      'Sends a letter that opens a recovery, if the account has an address that its person proved seven days ago or more, and sets the cookie `recovery` by which this browser goes on. The answer is the same for everybody',
  },
  'POST /api/recover/show': {
    caller: 'anyone',
    usesRecovery: true,
    body: recoveryTokenInput,
    results: { 200: shownRecovery },
    errors: ['authentication_failed', 'too_many_attempts'],
    summary: 'How far the recovery of the letter is; changes nothing',
  },
  'POST /api/recover/confirm': {
    caller: 'anyone',
    usesRecovery: true,
    body: recoveryTokenInput,
    results: { 200: confirmedRecovery },
    errors: ['authentication_failed', 'not_allowed', 'too_many_attempts'],
    summary:
      'Begins the wait of MAIL_RECOVERY, which the owner can stop; `at` is its end, after which a new way in can be set for 72 hours. Only in the browser that asked',
  },
  'POST /api/recover/options': {
    caller: 'anyone',
    usesRecovery: true,
    body: recoveryTokenInput,
    results: { 200: registrationOptions },
    errors: ['authentication_failed', 'not_allowed', 'too_early', 'too_many_attempts'],
    summary: 'After the wait, options for `navigator.credentials.create()`',
  },
  'POST /api/recover/passkey': {
    caller: 'anyone',
    usesRecovery: true,
    body: recoveryPasskeyInput,
    results: { 201: registered },
    errors: ['authentication_failed', 'not_allowed', 'too_early', 'passkey_taken', 'too_many_attempts'],
    summary:
      'After the wait, ends all sessions, grants, passwords, passkeys and recovery codes of the account, adds the passkey and opens a session',
  },
  'POST /api/recover/password': {
    caller: 'anyone',
    usesPassword: true,
    usesRecovery: true,
    body: recoveryPasswordInput,
    results: { 200: signedIn },
    errors: ['authentication_failed', 'not_allowed', 'too_early', 'too_many_attempts'],
    summary: 'The same with a new password',
  },
  'POST /api/recover/stop': {
    caller: 'anyone',
    usesRecovery: true,
    body: recoveryTokenInput,
    results: { 204: null },
    errors: ['authentication_failed', 'too_many_attempts'],
    summary:
      'Stops all recoveries of the account, by the token of the letter that says that one waits; needs no session',
  },
  'POST /api/signout': {
    caller: 'anyone',
    origin: 'listed',
    results: { 204: null },
    errors: [],
    summary: 'Revokes the session, if there is one',
  },
  'POST /api/auth/register/options': {
    caller: 'step-up-if-session',
    body: registrationOptionsInput,
    results: { 200: registrationOptions },
    errors: ['not_signed_in', 'sign_up_closed', 'username_taken', 'too_many_attempts'],
    summary: 'Options for `navigator.credentials.create()`; with a session and its step-up token, for its account',
  },
  'POST /api/auth/register/verify': {
    caller: 'anyone',
    body: registrationResponse,
    results: { 201: registered },
    errors: [
      'authentication_failed',
      'not_signed_in',
      'sign_up_closed',
      'username_taken',
      'passkey_taken',
      'too_many_attempts',
    ],
    summary: "Verifies a registration: a new account with a session, or one more passkey for the session's account",
  },
  'POST /api/auth/login/options': {
    caller: 'anyone',
    body: authenticationOptionsInput,
    bodyOptional: true,
    results: { 200: authenticationOptions },
    errors: [],
    summary:
      "Options for `navigator.credentials.get()`; with a session, for its account's passkeys unless `anyAccount` is set",
  },
  'POST /api/auth/login/verify': {
    caller: 'anyone',
    body: authenticationResponse,
    results: { 200: signedIn },
    errors: ['authentication_failed', 'account_disabled', 'unknown_passkey', 'passkey_copied', 'too_many_attempts'],
    summary: 'Verifies an authentication and opens a session',
  },
} as const satisfies Endpoints
