import * as z from 'zod'
import { limits, unitMilliseconds } from '../limits'
import { displayName, liveSession, method, passkey, user } from './account'
import { newUsername } from './credentials'
import { event } from './events'
import { boolean, emailAddress, fieldError, isPlainLine, time } from './fields'

/*
 * What operators send and get: the commands print what the endpoints below /api/admin answer. Unknown fields are faults, since a
 * misspelled one would do something else than its sender means.
 */

const invalid = fieldError({ key: 'invalid' })

/** What keys are for. `trust` lets an app past consent, or past what it requires of people. */
export const areas = ['accounts', 'identity', 'groups', 'invitations', 'apps', 'trust', 'deliveries'] as const
export type Area = (typeof areas)[number]

/** Proxies hand groups on in one header, separated by commas, so a name has neither a comma nor a control character. */
export const groupNames = new RegExp(`^[a-z0-9._-]{1,${limits.groupName}}$`)

/** What an app is refused although all is set up well: a code came late, or a person does not meet its rules. */
const ordinaryReasons = ['invalid_grant', 'group', 'passkey'] as const

/** Why an app was refused something, where its settings or its registration can mend it. */
export const mendableReasons = [
  'code_challenge_missing',
  'redirect_uri_not_registered',
  'sign_out_uri_not_registered',
  'unsupported_response_type',
  'repeated_parameter',
  'invalid_request',
  'invalid_scope',
  'invalid_target',
  'invalid_client',
  ...ordinaryReasons,
] as const

export const isOrdinary = (reason: (typeof mendableReasons)[number]): boolean =>
  ordinaryReasons.some((ordinary) => ordinary === reason)

/** An id or a name of what there may be; PostgreSQL fails on NUL. */
const reference = z
  .string(invalid)
  .min(1, invalid)
  .max(limits.reference, invalid)
  .refine((text) => text.isWellFormed() && !text.includes('\0'), invalid)

/** Such as `24h`. */
const duration = z.string(invalid).regex(/^\d{1,6}[smhdw]$/, invalid)

export const millisecondsOf = (text: string): number =>
  Number(text.slice(0, -1)) * unitMilliseconds[text.at(-1) as keyof typeof unitMilliseconds]

const isBetween = (text: string, least: string, most: string) =>
  millisecondsOf(text) >= millisecondsOf(least) && millisecondsOf(text) <= millisecondsOf(most)

/** Of lists that have pages. */
const page = {
  after: z
    .string(invalid)
    .max(limits.eventCursor, invalid)
    .optional()
    .meta({ description: '`after` of the page before' }),
  limit: z.int(invalid).min(1, invalid).max(limits.adminPage, invalid).optional(),
}

export const accountInput = z.strictObject({ id: reference })
export const showAccountInput = z
  .strictObject({ id: reference.optional(), username: reference.optional() })
  .refine(({ id, username }) => (id === undefined) !== (username === undefined), { error: invalid, path: ['id'] })

export const nameAccountInput = z.strictObject({ id: reference, displayName: displayName.nullable() })
export const listAccountsInput = z.strictObject({
  ...page,
  query: reference.max(limits.query, invalid).optional().meta({
    description: 'The beginning of a username, an e-mail address or a display name, or a whole id',
  }),
  group: reference.optional(),
  disabled: boolean.optional(),
  hasPasskey: boolean.optional(),
  cameBack: boolean.optional().meta({
    description: 'Whether anybody has signed in, or used a session after its first day, in the last 90 days',
  }),
})
export const renameAccountInput = z.strictObject({ id: reference, username: newUsername })
export const emailOfAccountInput = z.strictObject({ id: reference, email: z.string(invalid).nullable() })

const listedAccount = user.extend({
  email: z.string().nullable(),
  groups: z.array(z.string()),
  /** The last day on which a session was used, in UTC. */
  lastActiveAt: z.iso.date().nullable(),
  disabled: z.boolean(),
  passkeys: z.array(passkey),
  hasPassword: z.boolean(),
})
export const listedAccounts = z.object({ accounts: z.array(listedAccount), after: z.string().nullable() })

export const shownAccount = listedAccount.omit({ lastActiveAt: true }).extend({
  userHandle: z.string(),
  passwordSetAt: time.nullable(),
  recoveryCodesLeft: z.int(),
  recoveryCodesMadeAt: time.nullable(),
  sessions: z.array(liveSession.omit({ current: true })),
  events: z.array(event),
})

export const changedAccount = z.object({ user })
export const removePasskeyOfAccountInput = z.strictObject({ id: reference, passkey: reference })
export const endSessionInput = z.strictObject({ id: reference, session: reference })
export const operatorsCode = z.object({ code: z.string(), expiresAt: time })

const groupName = z.string(invalid).regex(groupNames, fieldError({ key: 'group_format', max: limits.groupName }))
const accountsOfGroup = z.array(reference, invalid).max(limits.adminPage, invalid)

export const noInput = z.strictObject({})
export const groupInput = z.strictObject({ group: reference })
export const addToGroupInput = z.strictObject({ group: groupName, accounts: accountsOfGroup.optional() })
export const removeFromGroupInput = z.strictObject({ group: reference, accounts: accountsOfGroup })
export const groups = z.object({ groups: z.array(z.object({ name: z.string(), members: z.int() })) })
export const groupMembers = z.object({ group: z.string(), members: z.array(z.string()) })
export const deletedGroup = z.object({ group: z.string() })

const uris = z.array(z.string(invalid), invalid).max(limits.adminPage, invalid)
export const pkceRules = ['required', 'or_nonce', 'off'] as const
const pkceRule = z.enum(pkceRules, { error: invalid })

const appSettings = {
  public: boolean.optional(),
  pkce: pkceRule.optional(),
  trusted: boolean.nullable().optional(),
  requirePasskey: boolean.nullable().optional(),
  signOutUris: uris.nullable().optional(),
  backChannelUri: z.string(invalid).nullable().optional(),
  homeUrl: z.string(invalid).nullable().optional(),
  icon: z.string(invalid).nullable().optional().meta({
    description:
      'A PNG, WebP or JPEG image of at most 64 KiB, as a data: URL, or the https URL from which it is fetched once',
  }),
  groups: z.array(z.string(invalid), invalid).max(limits.adminPage, invalid).nullable().optional(),
  device: boolean.nullable().optional().meta({
    description:
      'Whether it may show a code that people enter on another device (RFC 8628); it may lack redirect URIs then',
  }),
}
export const appInput = z.strictObject({ app: reference })
export const addAppInput = z.strictObject({
  name: z.string(invalid),
  redirectUris: uris.optional(),
  id: z.string(invalid).optional(),
  machine: boolean
    .optional()
    .meta({ description: 'Whether it acts for nobody, by its secret; it has no redirect URI' }),
  ...appSettings,
})
export const changeAppInput = z.strictObject({
  app: reference,
  name: z.string(invalid).optional(),
  redirectUris: uris.optional(),
  ...appSettings,
})
export const newSecretInput = z.strictObject({
  app: reference,
  keepOld: duration.optional().meta({ description: 'How long the old secret is accepted, such as 24h' }),
})

const registeredApp = z.object({
  id: z.string(),
  name: z.string(),
  redirectUris: z.array(z.string()),
  signOutUris: z.array(z.string()),
  backChannelUri: z.string().nullable(),
  homeUrl: z.string().nullable(),
  /** The path of its picture. */
  icon: z.string().nullable(),
  public: z.boolean(),
  pkce: z.enum(pkceRules),
  trusted: z.boolean(),
  requirePasskey: z.boolean(),
  groups: z.array(z.string()),
  /** It acts for nobody, by its secret. */
  machine: z.boolean(),
  /** It may show a code that people enter on another device. */
  device: z.boolean(),
  /** The file of APPLY alone changes it. */
  managed: z.boolean(),
  createdAt: time,
  lastRefusal: z.object({ at: time, reason: z.enum(mendableReasons) }).nullable(),
})
export const registeredApps = z.object({ apps: z.array(registeredApp) })
export const shownApp = z.object({ app: registeredApp })
export const addedApp = z.object({ app: registeredApp, secret: z.string().exactOptional(), issuer: z.string() })
export const changedApp = z.object({ app: registeredApp, secret: z.string().exactOptional() })
export const appWithSecret = z.object({ app: registeredApp, secret: z.string() })

const apiSettings = {
  scopes: z
    .record(z.string(invalid), z.string(invalid))
    .nullable()
    .optional()
    .meta({ description: 'What each lets an app do, in words for people, by its name' }),
  apps: z
    .union([z.literal('any'), z.array(z.string(invalid), invalid).max(limits.adminPage, invalid)], invalid)
    .nullable()
    .optional()
    .meta({ description: 'The ids of the apps that may ask for tokens, or `any`' }),
  groups: z.array(z.string(invalid), invalid).max(limits.adminPage, invalid).nullable().optional(),
  lifetime: duration.nullable().optional().meta({ description: 'How long a token is good: `15m`, from `1m` to `1h`' }),
}
export const apiInput = z.strictObject({ api: reference })
export const addApiInput = z.strictObject({ identifier: z.string(invalid), name: z.string(invalid), ...apiSettings })
export const changeApiInput = z.strictObject({ api: reference, name: z.string(invalid).optional(), ...apiSettings })

const registeredApi = z.object({
  /** The `aud` of its tokens. */
  identifier: z.string(),
  name: z.string(),
  scopes: z.record(z.string(), z.string()),
  apps: z.union([z.literal('any'), z.array(z.string())]),
  groups: z.array(z.string()),
  lifetime: z.string(),
  createdAt: time,
})
export const registeredApis = z.object({ apis: z.array(registeredApi) })
export const shownApi = z.object({ api: registeredApi })

export const stats = z.object({
  accounts: z.int(),
  /** Accounts by way of signing in; one may count several times. */
  methods: z.record(method, z.int()),
  days: z.array(z.object({ day: z.iso.date(), signUps: z.int(), signIns: z.int() })),
})

export const listDeliveriesInput = z.strictObject(page)
export const deliveryInput = z.strictObject({ id: reference })
const delivery = z.object({
  id: z.string(),
  type: z.string(),
  receiver: z.string(),
  account: z.string().nullable(),
  attempts: z.int(),
  /** While an attempt is under way, when it counts as lost. Null: there is no next attempt. */
  nextAt: time.nullable(),
  error: z.string().nullable(),
})
export const undelivered = z.object({ deliveries: z.array(delivery), after: z.string().nullable() })
export const retriedDelivery = z.object({ delivery })

const mailFaults = ['starttls', 'password', 'address', 'certificate'] as const
export type MailFault = (typeof mailFaults)[number]

export const tryLetterInput = z.strictObject({ email: emailAddress })
export const triedLetter = z.object({
  error: z
    .string()
    .nullable()
    .meta({ description: 'Why the mail server did not take it, as `/deliveries` has it; null: it did' }),
  fault: z.enum(mailFaults).nullable().meta({
    description:
      'What to look at: `starttls` is not offered, `password` with the user in SMTP_URL, `address` of MAIL_FROM or of the letter, `certificate` that does not verify',
  }),
})

const keyArea = z.enum([...areas, 'all'], { error: invalid })

export const addKeyInput = z.strictObject({
  name: groupName,
  areas: z.array(keyArea, invalid).min(1, invalid).meta({ description: '`all` is all of them but `trust`' }),
  readOnly: boolean.optional(),
  expires: z
    .union([z.literal('never'), duration], { error: invalid })
    .refine((text) => text === 'never' || isBetween(text, '1h', '366d'), { error: invalid })
    .optional()
    .meta({ description: 'From 1h to 366d, or never; 90d without it' }),
})
export const keyInput = z.strictObject({ name: reference })
const operatorKey = z.object({
  name: z.string(),
  areas: z.array(z.enum(areas)),
  readOnly: z.boolean(),
  createdAt: time,
  expiresAt: time.nullable(),
  /** The minute of its latest request. */
  lastUsedAt: time.nullable(),
  /** The id of the administrator who made it; null for a command with the database. */
  by: z.string().nullable(),
})
export const operatorKeys = z.object({ keys: z.array(operatorKey) })
export const addedKey = z.object({ key: operatorKey, secret: z.string() })

export const listInvitationsInput = z.strictObject(page)
const wrongLifetime = fieldError({ key: 'lifetime', longest: '90d' })
export const lifetimeOfInvitation = z
  .string(wrongLifetime)
  .regex(/^\d{1,6}[smhdw]$/, wrongLifetime)
  // A link that nobody remembers is good no longer than this.
  .refine((text) => isBetween(text, '1s', '90d'), wrongLifetime)

export const addInvitationsInput = z.strictObject({
  count: z.int(invalid).min(1, invalid).max(limits.invitations, invalid).optional(),
  expires: lifetimeOfInvitation.optional().meta({ description: 'Such as `7d`, the default; at most `90d`' }),
  groups: z.array(reference, invalid).max(limits.groupsOfInvitation, invalid).optional(),
  email: emailAddress.optional().meta({ description: 'Gets the link of one invitation by letter; needs SMTP_URL' }),
  note: z
    .string(invalid)
    .trim()
    .refine((text) => [...text].length <= limits.note, fieldError({ key: 'too_long', max: limits.note }))
    .refine(isPlainLine, fieldError({ key: 'name_control_characters' }))
    .optional()
    .meta({ description: 'For operators: the invited never see it' }),
})
export const withdrawInvitationInput = z.strictObject({ id: reference })
export const invitations = z.object({
  invitations: z.array(
    z.object({
      id: z.string(),
      note: z.string().nullable(),
      groups: z.array(z.string()),
      createdAt: time,
      expiresAt: time,
      /** As in the log. */
      by: z.string().nullable(),
    }),
  ),
  after: z.string().nullable(),
})
export const madeInvitations = z.object({
  invitations: z.array(z.object({ id: z.string(), url: z.string(), expiresAt: time })),
})

export const listLogInput = z.strictObject({
  ...page,
  by: reference.optional(),
  account: reference.optional(),
  app: reference.optional(),
})
const logEntry = z.object({
  at: time,
  /** The administrator's id, or `key:` and the name of the key; null for a command with the database. */
  by: z.string().nullable(),
  /** An event of the security log; for `groups_changed` which way, `group_joined` or `group_left`. */
  what: z.string(),
  account: z.string().nullable(),
  app: z.string().nullable(),
  group: z.string().nullable(),
})
export const operatorLog = z.object({
  log: z.array(logEntry),
  /** The usernames of the accounts in this page, by id; who is deleted is not in it. */
  usernames: z.record(z.string(), z.string()),
  after: z.string().nullable(),
})

export type ListedAccount = z.infer<typeof listedAccount>
export type ShownAccount = z.infer<typeof shownAccount>
export type ListedInvitation = z.infer<typeof invitations>['invitations'][number]
export type LogEntry = z.infer<typeof logEntry>
export type OperatorKey = z.infer<typeof operatorKey>
export type RegisteredApi = z.infer<typeof registeredApi>
export type RegisteredApp = z.infer<typeof registeredApp>
