import * as z from 'zod'
import { limits } from '@/lib/api/limits'
import { renamePasskeyInput, signInInput } from '@/lib/api/schemas'
import { emailAddress } from '../../model/email'
import { isPublicKey, longestIdBytes, longestKeyBytes, rsaFault } from '../../passkeys/public-key'
import { HashFault, markHash } from './hash'

/** Applies a schema of lib/api, with error messages for operators. */
const like = <T extends z.ZodType>(schema: T, sentence: string) =>
  z.unknown().transform((value, context): z.output<T> => {
    const { data, success } = schema.safeParse(value)
    if (!success) context.addIssue(sentence)
    return data as z.output<T>
  })

/** Canonical base64url only, because IDs are looked up as text. */
const bytes = (most: number) =>
  z
    .string('is missing')
    .refine((text) => text !== '' && Buffer.from(text, 'base64url').toString('base64url') === text, {
      error: 'is not base64url without padding',
      abort: true,
    })
    .refine((text) => Buffer.byteLength(text, 'base64url') <= most, `is longer than ${most} bytes`)

const time = z.iso
  .datetime({ offset: true, error: 'is not a time in ISO 8601 with its offset from UTC' })
  .transform((text) => new Date(text))
  .refine((date) => date.getTime() >= 0, 'is before 1970')
  // An offset can move a time into the year 10000, which PostgreSQL's driver cannot read.
  .refine((date) => date.getTime() < Date.UTC(10_000, 0), 'is after 9999')

const publicKey = bytes(longestKeyBytes)
  .transform((text) => new Uint8Array(Buffer.from(text, 'base64url')))
  .refine(isPublicKey, { error: 'is not a COSE_Key of ES256, EdDSA or RS256', abort: true })
  .superRefine((key, context) => {
    const fault = rsaFault(key)
    if (fault !== null) context.addIssue(`is ${fault}`)
  })

const highestCounter = 2 ** 32 - 1

/** `null` means absent, as databases export it; for `userHandle` it means unknown. */
const passkey = z.strictObject(
  {
    id: bytes(longestIdBytes),
    publicKey,
    counter: z.int().min(0).max(highestCounter).nullish(),
    transports: z.array(z.string()).nullish(),
    userHandle: bytes(64).nullish(),
    name: like(
      renamePasskeyInput.shape.name,
      `must have 1 to ${limits.passkeyName} characters, and none that controls how text runs`,
    ).nullish(),
    createdAt: time.nullish(),
    aaguid: z.guid('is not an AAGUID').nullish(),
    backedUp: z.boolean().nullish(),
    deviceType: z.enum(['singleDevice', 'multiDevice']).nullish(),
    userVerified: z.boolean().nullish(),
  },
  { error: unknownField },
)

const { min, max } = limits.username

const row = z.strictObject(
  {
    // The sign-in rule: existing names may begin with a hyphen, and our own exports must be importable.
    username: like(signInInput.shape.username, `must have ${min} to ${max} of ASCII letters, digits and . _ - @ +`),
    id: z
      .string()
      .regex(/^[A-Za-z0-9_-]{1,64}$/, 'must have 1 to 64 of A-Z, a-z, 0-9, _ and -')
      .nullish(),
    passwordHash: z
      .string()
      .max(512, 'is too long')
      .transform((hash, context) => {
        try {
          return markHash(hash)
        } catch (error) {
          if (!(error instanceof HashFault)) throw error
          context.addIssue(error.message)
          return z.NEVER
        }
      })
      .nullish(),
    passwordSetAt: time.nullish(),
    createdAt: time.nullish(),
    email: z.string('is not text').nullish(),
    emailVerified: z.boolean('is neither true nor false').nullish(),
    passkeys: z
      .array(passkey)
      .max(limits.passkeys, `are more than ${limits.passkeys}`)
      .refine((all) => new Set(all.map(({ id }) => id)).size === all.length, 'have the same id twice')
      .nullish(),
  },
  { error: unknownField },
)

/** Ignores an e-mail address that nobody has verified: it may be somebody else's, and apps would take the account for theirs. */
export const rowFormat = row.transform((given, context) => {
  if (given.emailVerified !== true || given.email == null) return { ...given, email: null }
  const { data } = emailAddress.safeParse(given.email)
  if (data === undefined)
    context.addIssue({
      code: 'custom',
      path: ['email'],
      message: 'is not an e-mail address of at most 254 characters',
    })
  return { ...given, email: data ?? null }
})

function unknownField({ code, keys }: z.core.$ZodRawIssue): string {
  if (code !== 'unrecognized_keys') return 'is not an object'
  // Anything else may be a misplaced value, such as a hash.
  const names = (keys as string[]).filter((key) => /^[A-Za-z_]{1,30}$/.test(key))
  return `has an unknown field${names.length > 0 ? `: ${names.join(', ').slice(0, 100)}` : ''}`
}
