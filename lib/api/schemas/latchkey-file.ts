import * as z from 'zod'
import { limits } from '../limits'
import { boolean } from './fields'
import { pkceRules } from './operator'

/*
 * The file of `accounts apply`. Its descriptions are what an editor shows, by docs/latchkey.schema.json. The rules for values,
 * such as those of redirect URIs, are those of every app.
 */

const uris = z.array(z.string())

const secret = z
  .union(
    [
      z.strictObject({
        env: z
          .string()
          .min(1, 'must name an environment variable')
          .describe('The environment variable that has the secret, where the command runs; at least 32 characters'),
      }),
      z.strictObject({
        sha256: z
          .string()
          .regex(/^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/, 'must be a digest of 43 characters in base64url')
          .describe('The SHA-256 digest of the secret, in base64url: 43 characters'),
      }),
    ],
    {
      error:
        'must be {"env": "NAME"}, an environment variable, or {"sha256": "..."}, a digest of 43 characters in base64url',
    },
  )
  .describe(
    'Its secret, which never stands in the file. Without it, an app keeps the secret that it has, and a new one gets one, which is printed once.',
  )

const appInFile = z.strictObject({
  id: z
    .string()
    .describe(`The client ID by which the app introduces itself: 1 to ${limits.appId} letters, digits and . _ -`),
  name: z.string().describe('The name that people see, which no other app has'),
  redirectUris: uris
    .default([])
    .describe('Where people return to the app, exactly as it sends it: https, or http on this device'),
  signOutUris: uris.default([]).describe('Where the app may send people after signing out'),
  backChannelUri: z.string().nullable().default(null).describe('What Latchkey calls when a session ends'),
  homeUrl: z.string().nullable().default(null).describe("The app's own front page"),
  icon: z
    .string()
    .nullable()
    .optional()
    .describe(
      "Its picture on people's profiles: a PNG, WebP or JPEG file beside this one, or such an image as a data: URL; at most 64 KiB. Without it, an app keeps the one that it has; null removes it.",
    ),
  public: z
    .boolean()
    .default(false)
    .describe('Whether it has no secret, because it could not keep one: a page without a server, or a program'),
  pkce: z
    .enum(pkceRules)
    .optional()
    .describe(
      'Whether requests need PKCE. Without it, "or_nonce": PKCE or a nonce; for a public app "required", its only value.',
    ),
  trusted: z.boolean().default(false).describe('Whether nobody is asked for consent to it'),
  requirePasskey: z.boolean().default(false).describe('Whether it admits only sessions that a passkey opened'),
  groups: z
    .array(z.string())
    .default([])
    .describe('Only members of one of these groups may use it; without any, everybody may'),
  machine: z
    .boolean()
    .default(false)
    .describe('Whether it acts for nobody, by its secret: a job or a service. It has no redirect URI'),
  device: z
    .boolean()
    .default(false)
    .describe('Whether it may show a code that people enter on another device, as a program in a terminal does'),
  secret: secret.optional(),
})

const apiInFile = z.strictObject({
  identifier: z
    .string()
    .describe('The URI that apps name as resource, and the aud of tokens: https, without a fragment'),
  name: z.string().describe('The name that people see'),
  scopes: z
    .record(z.string(), z.string())
    .default({})
    .describe('What each scope lets an app do, in words for people, such as {"notes.read": "Read your notes"}'),
  apps: z
    .union([z.literal('any'), z.array(z.string())], { error: 'must be a list of ids of apps, [...], or "any"' })
    .default([])
    .describe('The ids of the apps that may ask for tokens, or "any"'),
  groups: z
    .array(z.string())
    .default([])
    .describe('Apps get tokens only for members of one of these groups; without any, for everybody'),
  lifetime: z
    .string()
    .regex(/^\d{1,6}[smhdw]$/, 'must be a time such as "15m"')
    .default('15m')
    .describe('How long a token is good: "1m" to "1h"'),
})

export const latchkeyFile = z.strictObject({
  $schema: z.unknown().optional().meta({ type: 'string', description: 'Where an editor finds this description' }),
  groups: z
    .array(z.string())
    .optional()
    .describe(
      `Groups that exist: 1 to ${limits.groupName} of a-z, 0-9 and . _ - each. People are put into them by commands, and a file cannot make admins.`,
    ),
  apps: z.array(appInFile).optional().describe('Apps that people sign in to'),
  apis: z.array(apiInFile).optional().describe('Services that take access tokens of apps'),
})

/** With the defaults in place of what is left out. */
export type LatchkeyFile = z.output<typeof latchkeyFile>

/** As it is written. */
export type WrittenFile = Omit<z.input<typeof latchkeyFile>, '$schema'>

/** `file` is checked by `latchkeyFile` in the action, which says for each fault where it is and what would be right. */
export const applyInput = z.strictObject({
  file: z.looseObject({}).meta({ description: 'The file: docs/latchkey.schema.json' }),
  prune: boolean
    .optional()
    .meta({ description: 'Whether to delete the apps, APIs and groups that the file does not name' }),
  check: boolean.optional().meta({ description: 'Whether only to say what would change' }),
})

export const appliedFile = z.object({
  changes: z.array(
    z.object({
      action: z.enum(['add', 'change', 'delete']),
      kind: z.enum(['app', 'api', 'group']),
      /** Of an app, its id; of an API, its identifier */
      name: z.string(),
      /** What changes, of a change */
      fields: z.array(z.string()),
    }),
  ),
  /** Those that were made, by the app's id; shown this once */
  secrets: z.record(z.string(), z.string()),
})

export const dumpInput = z.strictObject({})
export const dumpedFile = z.object({
  file: z.object({
    groups: z.array(z.string()),
    apps: z.array(z.looseObject({ id: z.string(), name: z.string() })),
    apis: z.array(z.looseObject({ identifier: z.string(), name: z.string() })).exactOptional(),
  }),
})
