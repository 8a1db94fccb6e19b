import { z } from 'zod'
import type { FieldError } from './errors'
import { limits } from './limits'

/*
 * What goes over the wire: the bodies that are parsed and the shapes of results. Both name their schemas in the OpenAPI
 * document. Rules that depend on settings are checked in lib/auth.
 */

/** zod carries strings only, so the error of a field travels as JSON. */
export const fails = (error: FieldError) => JSON.stringify(error)

/** What is wrong with a field, from an issue of zod. An issue that no schema here words is a value of the wrong type. */
export function fieldErrorOf({ path, message }: z.core.$ZodIssue): FieldError {
  if (message.startsWith('{')) return JSON.parse(message)
  return { key: path.length === 0 ? 'not_json' : 'invalid' }
}

const { min, max } = limits.username

const usernameOf = (pattern: string) =>
  z
    .string({ error: fails({ key: 'username_missing' }) })
    .regex(new RegExp(pattern), fails({ key: 'username_format', min, max }))

/** ASCII letters, digits and `. _ - @ +`: a username that an account has, which may be older than the rule for new ones. */
const username = usernameOf(`^[A-Za-z0-9._@+-]{${min},${max}}$`)

/** A username to take. With a hyphen first, a script would hand it to a command of the operator's as an option. */
const newUsername = usernameOf(`^[A-Za-z0-9._@+][A-Za-z0-9._@+-]{${min - 1},${max - 1}}$`)

const passwordTooLong = fails({ key: 'password_too_long', max: limits.password.max })

const passwordText = z
  .string({ error: fails({ key: 'password_missing' }) })
  .max(limits.password.max, passwordTooLong)
  // Unpaired surrogates have no UTF-8 form: two passwords that differ in one would hash alike.
  .refine((text) => text.isWellFormed(), fails({ key: 'password_malformed' }))
  .refine((text) => Buffer.byteLength(text.normalize('NFC')) <= limits.password.max, passwordTooLong)

/** A password to sign in with, as typed: it may be older than the rules for new ones, and come from elsewhere. */
const givenPassword = passwordText.refine((text) => text.length > 0, fails({ key: 'password_missing' }))

/**
 * A password to keep; lib/auth/passwords/password-rules.ts has the rules that depend on settings. No composition rules: they make
 * passwords worse (NIST SP 800-63B-4 section 3.1.1.2).
 */
const newPassword = passwordText
  // Systems type the same characters composed or decomposed (NIST SP 800-63B-4 section 3.1.1.2).
  .transform((text) => text.normalize('NFC'))
  .meta({
    description:
      'At least 8 code points, or more if PASSWORD_MIN_LENGTH says so. Rejected if it is a common password, the username, or the name or host of this service, in any case and with any digits at the end',
  })

/** Any text: one that is no invitation is answered like one that was used. */
const invitation = z
  .string({ error: fails({ key: 'invalid' }) })
  .optional()
  .meta({ description: 'A token of `/signup#invitation=`; required while SIGN_UP=invited' })

export const signUpInput = z.object({ username: newUsername, password: newPassword, invitation })
export const signInInput = z.object({ username, password: givenPassword })

export const recoverySignInInput = z.object({
  username,
  code: z
    .string({ error: fails({ key: 'recovery_code_missing' }) })
    .max(limits.recoveryCode.max, fails({ key: 'too_long', max: limits.recoveryCode.max }))
    // More than the separators that codes are typed with.
    .regex(/[^\s-]/, fails({ key: 'recovery_code_missing' })),
})

export const changePasswordInput = z.object({ password: newPassword, currentPassword: givenPassword.optional() })
export const changeUsernameInput = z.object({ username: newUsername })

const base64url = (characters = limits.body as number) =>
  z
    .string({ error: fails({ key: 'not_base64url' }) })
    .max(characters, fails({ key: 'too_long', max: characters }))
    .regex(/^[A-Za-z0-9_-]+$/, fails({ key: 'not_base64url' }))

const credentialId = base64url(limits.credentialId)

/**
 * PostgreSQL rejects NUL in text, and some SQLite drivers stop reading at it. The others turn or break the line that shows
 * the name. Joiners and tags stay: emoji are made of them.
 */
const controls = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u

export const renamePasskeyInput = z.object({
  id: credentialId,
  name: z
    .string({ error: fails({ key: 'passkey_name_missing' }) })
    .trim()
    .min(1, fails({ key: 'passkey_name_missing' }))
    .max(limits.passkeyName.max, fails({ key: 'too_long', max: limits.passkeyName.max }))
    .refine((text) => text.isWellFormed() && !controls.test(text), fails({ key: 'passkey_name_control_characters' })),
})
export const removePasskeyInput = z.object({ id: credentialId })

const flag = z.boolean({ error: fails({ key: 'not_boolean' }) }).default(false)

export const rememberInput = z.object({ remember: z.boolean({ error: fails({ key: 'not_boolean' }) }) })

export const revokeSessionInput = z.object({ id: base64url(limits.tokenId) })
export const signOutEverywhereInput = z.object({ exceptThis: flag })

/** `username` may be that of the session's account; a new one keeps to `changeUsernameInput`, too. */
export const registrationOptionsInput = z.object({
  username: username.optional(),
  automatic: flag,
  promotion: flag,
  invitation,
})
export const authenticationOptionsInput = z.object({ username: username.optional() })

/** Any object; the type takes WebAuthn's own interfaces, which have no index signature. */
const extensionResults: z.ZodType<Record<string, unknown>, object | undefined> = z
  .record(z.string(), z.unknown())
  .default({})
  .catch({})

/** What registration and authentication responses share (WebAuthn section 5.1, `PublicKeyCredential.toJSON()`). */
const credential = {
  id: credentialId,
  rawId: credentialId,
  type: z.literal('public-key', { error: fails({ key: 'invalid' }) }),
  clientExtensionResults: extensionResults,
}

export const registrationResponse = z.object({
  ...credential,
  /** `cross-platform`: the passkey is on another device than the browser. */
  authenticatorAttachment: z.string().nullish().catch(null),
  response: z.object({
    clientDataJSON: base64url(),
    attestationObject: base64url(),
    transports: z.array(z.string()).default([]).catch([]),
  }),
})

export const authenticationResponse = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: base64url(),
    authenticatorData: base64url(),
    signature: base64url(),
    userHandle: base64url(limits.userHandle).nullish(),
  }),
})

/** ISO 8601 in UTC. */
const time = z.iso.datetime()

/** How a session came about (RFC 8176; `passkey` and `recovery` are ours). */
export const method = z.enum(['pwd', 'passkey', 'recovery'])

/** How an event came about: what was shown, or an operator's command. */
export const eventMethod = z.enum([...method.options, 'operator'])

export const user = z.object({ id: z.string(), username: z.string(), createdAt: time })

export const passkey = z.object({
  id: z.string(),
  name: z.string(),
  /** Who keeps it, where that is known. */
  provider: z.string().nullable(),
  createdAt: time,
  lastUsedAt: time.nullable(),
  backedUp: z.boolean(),
  deviceType: z.enum(['singleDevice', 'multiDevice']),
  transports: z.array(z.string()),
})

export const account = user.extend({
  /** An operator has vouched for it. */
  email: z.string().nullable(),
  groups: z.array(z.string()),
  hasPassword: z.boolean(),
  /** When the password was set; null without one, or if that is not known. */
  passwordSetAt: time.nullable(),
  passkeys: z.array(passkey),
  recoveryCodesLeft: z.int(),
  /** When the codes that are left were made; null without any, or if that is not known. */
  recoveryCodesMadeAt: time.nullable(),
  session: z.object({ expiresAt: time, methods: z.array(method) }),
  /** For WebAuthn's Signal API, as is `userHandle`. */
  rpId: z.string(),
  userHandle: z.string(),
})

/** `token` goes only to clients that are not web pages. */
const session = { expiresAt: time, token: z.string().exactOptional() }

/** For `Latchkey-Step-Up`. A passkey that could have verified its user and did not gives none. */
const stepUp = z.string().exactOptional()

export const signedIn = z.object({ user, ...session, stepUp })
export const registered = z.object({ user, passkey, ...session, stepUp })
export const renewedSession = z.object(session)

export const liveSession = z.object({
  id: z.string(),
  method,
  browser: z.string().nullable(),
  at: time,
  expiresAt: time,
  /** Whether it is the one that asks. */
  current: z.boolean(),
})
export const sessions = z.object({ sessions: z.array(liveSession) })

export const renamedAccount = z.object({ user })
export const recoveryCodes = z.object({ codes: z.array(z.string()).length(limits.recoveryCodes) })

/** Who came in, or tried to. Counted by the hour: one event stands for `count` of them. */
const signInEvents = ['account_created', 'signed_in', 'reauthenticated', 'signin_failed', 'locked_out'] as const
/** What was done to the account. */
const changeEvents = [
  'passkey_added',
  'passkey_removed',
  'username_changed',
  'email_changed',
  'groups_changed',
  'password_changed',
  'password_removed',
  'recovery_codes_made',
  'signed_out_everywhere',
  'account_disabled',
  'account_enabled',
  'app_allowed',
  'app_removed',
  'refresh_token_reused',
  'signed_out_by_app',
] as const

export const eventKind = z.enum(['sign_ins', 'changes'])

export const eventKindOf = (type: EventType): EventKind =>
  signInEvents.some((one) => one === type) ? 'sign_ins' : 'changes'

export const eventsInput = z.object({
  /** `next` of the page before. */
  before: z
    .string({ error: fails({ key: 'invalid' }) })
    .max(limits.eventCursor, fails({ key: 'invalid' }))
    .optional(),
  /** Both without it. */
  kind: eventKind.optional(),
})

export const event = z.object({
  type: z.enum([...signInEvents, ...changeEvents]),
  /** Of the last of them, if the event stands for several. */
  at: time,
  method: eventMethod.nullable(),
  /** A browser and its system by their common names; null if unrecognized. */
  browser: z.string().nullable(),
  /** How many attempts or sign-ins of an hour the event stands for; always with failures, else from two up. */
  count: z.int().exactOptional(),
  /** A sign-in from a browser that brought no sign of having signed in to the account before. */
  newBrowser: z.literal(true).exactOptional(),
  /** The name, at that time, of the app that was let in or lost its access. */
  app: z.string().exactOptional(),
})
export const events = z.object({
  events: z.array(event).max(limits.events),
  more: z.boolean(),
  /** Opaque: `before` of the next page, if there are more. */
  next: z.string().exactOptional(),
})
export const notableEvents = z.object({ events: z.array(event) })

/** `audience`: the origin of the app that the token is for. */
export const accessTokenInput = z.object({
  audience: z.string({ error: fails({ key: 'audience_unknown' }) }).optional(),
})
export const accessToken = z.object({ token: z.string(), expiresAt: time })

/** A JWK Set (RFC 7517 section 5). */
export const keySet = z.object({
  keys: z.array(
    z.discriminatedUnion('kty', [
      /** Of access tokens of `/api/token`. */
      z.object({
        kty: z.literal('EC'),
        crv: z.literal('P-256'),
        x: z.string(),
        y: z.string(),
        kid: z.string(),
        alg: z.literal('ES256'),
        use: z.literal('sig'),
      }),
      /** Of what apps get by OpenID Connect. */
      z.object({
        kty: z.literal('RSA'),
        n: z.string(),
        e: z.string(),
        kid: z.string(),
        alg: z.literal('RS256'),
        use: z.literal('sig'),
      }),
    ]),
  ),
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

/** A Digital Asset Links statement list. */
export const assetLinks = z.array(
  z.object({
    relation: z.tuple([z.literal('delegate_permission/common.get_login_creds')]),
    target: z.object({
      namespace: z.literal('android_app'),
      package_name: z.string(),
      sha256_cert_fingerprints: z.array(z.string()),
    }),
  }),
)

/** Apple's associated domains file. */
export const associatedApps = z.object({ webcredentials: z.object({ apps: z.array(z.string()) }) })

export const passkeyEndpoints = z.object({ enroll: z.url(), manage: z.url() })
export const relatedOrigins = z.object({ origins: z.array(z.string()) })

/** A picture, in place of JSON. */
export const image = z.file()

/** An OpenAPI document. */
export const openApi = z.looseObject({ openapi: z.string() })

const parameter = z.string({ error: fails({ key: 'invalid' }) })

/** RFC 6749 sections 4.1.3, 6 and 2.3.1, RFC 7636 section 4.5. */
export const tokenInput = z.object({
  grant_type: parameter,
  code: parameter.optional(),
  refresh_token: parameter.optional(),
  scope: parameter.optional(),
  redirect_uri: parameter.optional(),
  code_verifier: parameter.optional(),
  client_id: parameter.optional(),
  client_secret: parameter.optional(),
})
export const tokenResponse = z.object({
  access_token: z.string(),
  token_type: z.literal('Bearer'),
  expires_in: z.int(),
  id_token: z.string(),
  scope: z.string(),
  refresh_token: z.string().exactOptional(),
})

/** RFC 7009 section 2.1. Either kind of token is recognized without the hint. */
export const revocationInput = z.object({
  token: parameter,
  token_type_hint: parameter.optional(),
  client_id: parameter.optional(),
  client_secret: parameter.optional(),
})

/** How many attempts succeeded and failed, and how many messages wait for their next one. */
export const deliveries = z.object({ delivered: z.int(), failed: z.int(), waiting: z.int() })

/** RFC 6750 section 2.2. */
export const userinfoInput = z.object({ access_token: parameter.optional() })
export const userinfo = z.object({
  sub: z.string(),
  preferred_username: z.string().exactOptional(),
  name: z.string().exactOptional(),
  /** Seconds since 1970. */
  updated_at: z.int().exactOptional(),
  email: z.string().exactOptional(),
  email_verified: z.literal(true).exactOptional(),
  groups: z.array(z.string()).exactOptional(),
})

export const appRequestInput = z.object({ request: parameter })
export const appRequest = z.object({
  app: z.object({ name: z.string(), host: z.string() }),
  scopes: z.array(z.string()),
  email: z.string().nullable(),
  groups: z.array(z.string()),
  /** Why the app cannot be used, whatever its person allows. */
  obstacle: z.enum(['not_a_member', 'passkey_required']).exactOptional(),
  /** With `passkey_required`: where signing in with a passkey leads to. */
  next: z.string().exactOptional(),
})
export const consentInput = z.object({
  request: parameter,
  allow: z.boolean({ error: fails({ key: 'not_boolean' }) }),
})
export const consentAnswer = z.object({ location: z.string() })

export const signOutRequestInput = z.object({ request: parameter })
/** Who asks; null if no app says so. */
export const signOutRequest = z.object({ app: z.object({ name: z.string() }).nullable() })

export const allowedApps = z.object({
  apps: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      homeUrl: z.string().nullable(),
      scopes: z.array(z.string()),
      since: time,
      lastUsedAt: time.nullable(),
    }),
  ),
})
export const revokeAppInput = z.object({
  id: parameter.max(limits.appId, fails({ key: 'too_long', max: limits.appId })),
})

/** OpenID Connect Discovery section 3. */
export const discovery = z.looseObject({ issuer: z.url(), authorization_endpoint: z.url(), jwks_uri: z.url() })

/** A page, in place of JSON. */
export const page = z.string()

/** The body of errors that programs of apps get (RFC 6749 section 5.2). */
export const oauthErrorResponse = z.object({ error: z.string(), error_description: z.string() })

/** The body of every other error. */
export const errorResponse = z.object({
  /** A sentence for people. */
  error: z.string(),
  code: z.string(),
  /** With `invalid_request`: a sentence by field. */
  fields: z.record(z.string(), z.string()).exactOptional(),
  /** Seconds. */
  retryAfter: z.int().exactOptional(),
})

export type Method = z.infer<typeof method>
export type EventMethod = z.infer<typeof eventMethod>
export type User = z.infer<typeof user>
export type Passkey = z.infer<typeof passkey>
export type RegistrationOptions = z.infer<typeof registrationOptions>
export type AuthenticationOptions = z.infer<typeof authenticationOptions>
export type Account = z.infer<typeof account>
export type LiveSession = z.infer<typeof liveSession>
export type AssetLinks = z.infer<typeof assetLinks>
export type AssociatedApps = z.infer<typeof associatedApps>
export type KeySet = z.infer<typeof keySet>
export type AccountEvent = z.infer<typeof event>
export type EventType = AccountEvent['type']
export type EventKind = z.infer<typeof eventKind>
export type AppRequest = z.infer<typeof appRequest>
export type SignOutRequest = z.infer<typeof signOutRequest>
export type AllowedApp = z.infer<typeof allowedApps>['apps'][number]
export type EventPage = z.infer<typeof events>
