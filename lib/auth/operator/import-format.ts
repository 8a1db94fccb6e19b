import * as z from 'zod'
import { limits } from '@/lib/api/limits'
import { displayName, emailAddress, renamePasskeyInput, signInInput } from '@/lib/api/schemas'
import { displayNameKey, isUserHandle, newUserId, usernameKey } from '../account'
import { defaultPasskeyName, plausibleTransports } from '../passkey'
import { isPublicKey, longestIdBytes, longestKeyBytes, rsaFault } from '../passkeys/credential'
import { splitMark, withMark } from '../passwords/imported-hash'

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
    displayName: like(
      displayName,
      `must have 1 to ${limits.displayName} characters, of which one can be seen, and none that controls how text runs`,
    ).nullish(),
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
const rowFormat = row.transform((given, context) => {
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

const highestBcryptCost = 15
const mostPbkdf2Rounds = 2_000_000

const bcrypt = /^\$2[aby]\$(\d\d)\$[./A-Za-z0-9]{53}$/
/** Printable ASCII, which every database stores unchanged. */
const saltPattern = '([!-#%-9;-~]{0,128})'
const pbkdf2 = new RegExp(`^(?:pbkdf2_sha256\\$)?(\\d{1,9})\\$${saltPattern}\\$[A-Za-z0-9+/]{43}=$`)
const betterAuth = new RegExp(`^${saltPattern}:[0-9a-f]{128}$`, 'i')

/** OWASP ASVS 5.0, appendix C */
const leastBcryptCost = 10
const leastPbkdf2Rounds = 600_000
/** SP 800-63B-4 section 3.1.1.2: 32 bits */
const leastSaltBytes = 4

/** A hash that cannot be imported; the message says why and never shows it. */
class HashFault extends Error {}

/** Returns the hash as it is stored, under its mark. @throws HashFault */
export function markHash(hash: string): string {
  if (hash.startsWith('$2')) return withMark('bcrypt72', checkedBcrypt(hash))
  if (hash.startsWith('bcrypt$')) return withMark('bcrypt72', checkedBcrypt(hash.slice('bcrypt$'.length)))
  if (hash.startsWith('bcrypt_sha256$'))
    return withMark('bcrypt-sha256', checkedBcrypt(hash.slice('bcrypt_sha256$'.length)))
  if (hash.startsWith('pbkdf2_sha256$')) return withMark('pbkdf2-sha256', checkedPbkdf2(hash))
  if (/^\$?argon2/.test(hash)) throw new HashFault('argon2 hashes cannot be imported')
  if (/^(\$scrypt|scrypt|\$7)\$/.test(hash))
    throw new HashFault("scrypt is imported with better-auth's parameters only")
  if (betterAuth.test(hash)) return withMark('scrypt', checkedScrypt(hash))
  throw new HashFault('is in no format that can be imported')
}

function checkedBcrypt(hash: string): string {
  const cost = Number(bcrypt.exec(hash)?.[1] ?? 0)
  if (cost < 4) throw new HashFault('is not a bcrypt hash')
  // Each cost doubles the work that a stranger's attempt causes.
  if (cost > highestBcryptCost) throw new HashFault(`bcrypt is imported up to cost ${highestBcryptCost}`)
  return canonical(hash)
}

function checkedPbkdf2(hash: string): string {
  const { rounds, salt } = partsOfPbkdf2(hash)
  if (rounds < 1) throw new HashFault('is not a pbkdf2_sha256 hash')
  // One round is a plain digest, which is cracked at once: importing it would keep it for good in a dormant account.
  if (rounds === 1) throw new HashFault('is of one round only: import the account without it')
  requireSalt(salt)
  if (rounds > mostPbkdf2Rounds)
    throw new HashFault(`PBKDF2 is imported up to ${mostPbkdf2Rounds.toLocaleString('en')} rounds`)
  return hash.slice('pbkdf2_sha256$'.length)
}

function checkedScrypt(hash: string): string {
  requireSalt(betterAuth.exec(hash)?.[1] ?? '')
  return hash
}

function requireSalt(salt: string) {
  if (salt === '') throw new HashFault('has no salt: import the account without it')
}

function partsOfPbkdf2(hash: string): { rounds: number; salt: string } {
  const [, rounds = 0, salt = ''] = pbkdf2.exec(hash) ?? []
  return { rounds: Number(rounds), salt }
}

/** True if a hash, as `markHash` returns it, is easier to crack than today's guidelines allow. */
export function isWeak(marked: string): boolean {
  const { mark, hash } = splitMark(marked)
  // better-auth's parameters are below the least of appendix C: N 131072, r 8, p 1.
  if (mark === 'scrypt') return true
  if (mark !== 'pbkdf2-sha256') return Number(bcrypt.exec(hash)?.[1]) < leastBcryptCost
  const { rounds, salt } = partsOfPbkdf2(hash)
  return rounds < leastPbkdf2Rounds || salt.length < leastSaltBytes
}

const alphabet = './ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** Clears the padding bits, which some products set: bcryptjs compares text and would reject every password. */
function canonical(hash: string): string {
  const cleared = (index: number, mask: number) => alphabet[alphabet.indexOf(hash[index] as string) & mask]
  return `${hash.slice(0, 28)}${cleared(28, 0b110000)}${hash.slice(29, 59)}${cleared(59, 0b111100)}`
}

export type ImportedAccount = ReturnType<typeof toAccount>

type Given = z.output<typeof rowFormat>
type GivenPasskey = NonNullable<Given['passkeys']>[number]

/** `reason` contains none of the row's values. */
export function readRow(line: string): { account: ImportedAccount } | { reason: string } {
  const json = parseJson(line)
  if (json === undefined) return { reason: 'the row: is not JSON' }
  const { data, error } = rowFormat.safeParse(json)
  if (data) return { account: toAccount(data) }
  const [issue] = error.issues
  const place = issue?.path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`)).join('') ?? ''
  return { reason: `${place.slice(1) || 'the row'}: ${issue?.message}` }
}

/** Drops V8's message, which quotes the line. */
function parseJson(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

/** Shorter IDs could be guessed or collide; authenticators return bytes, so text must be canonical base64url. */
const handleBytes = 16

const noAaguid = '00000000-0000-0000-0000-000000000000'

function toAccount(given: Given) {
  const { username, id: givenId, passwordHash, passwordSetAt, createdAt, email, passkeys } = given
  const id = givenId ?? newUserId()
  const user = {
    id,
    userHandle: isUserHandle(id, handleBytes) ? null : newUserId(),
    username,
    usernameKey: usernameKey(username),
    displayName: given.displayName ?? null,
    displayNameKey: displayNameKey(given.displayName ?? null),
    passwordHash: passwordHash ?? null,
    passwordSetAt: passwordHash ? (passwordSetAt ?? null) : null,
    createdAt: createdAt ?? new Date(),
    email,
  }
  const accountHandle = user.userHandle ?? id
  return { user, passkeys: (passkeys ?? []).map((passkey) => toPasskey(passkey, id, accountHandle)) }
}

function toPasskey(given: GivenPasskey, userId: string, accountHandle: string) {
  const aaguid = given.aaguid?.toLowerCase() ?? noAaguid
  const backedUp = given.backedUp ?? false
  return {
    id: given.id,
    userId,
    userHandle: given.userHandle === undefined ? accountHandle : given.userHandle,
    name: given.name ?? defaultPasskeyName(aaguid),
    publicKey: given.publicKey,
    counter: BigInt(given.counter ?? 0),
    transports: plausibleTransports(given.transports ?? []),
    deviceType: given.deviceType ?? (backedUp ? 'multiDevice' : 'singleDevice'),
    backedUp,
    aaguid,
    userVerified: given.userVerified ?? false,
    createdAt: given.createdAt ?? new Date(),
  }
}
