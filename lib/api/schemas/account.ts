import * as z from 'zod'
import { limits } from '../limits'
import { fieldError, isPlainLine, isVisible, time } from './fields'

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
export type Passkey = z.infer<typeof passkey>

/** How a session came about (RFC 8176; `passkey` and `recovery` are ours). */
export const method = z.enum(['pwd', 'passkey', 'recovery'])
export type Method = z.infer<typeof method>

export const liveSession = z.object({
  id: z.string(),
  method,
  browser: z.string().nullable(),
  at: time,
  expiresAt: time,
  /** The last day on which it was used, in UTC. */
  lastActiveAt: z.iso.date(),
  /** Whether it is the session of this request. */
  current: z.boolean(),
})
export type LiveSession = z.infer<typeof liveSession>

const nameTooLong = fieldError({ key: 'too_long', max: limits.displayName })

/** Code units before NFC, which composes at most four of them to one code point (U+1F82): a longer text is too long in any form. */
const maxNameUnits = 4 * limits.displayName

export const displayName = z
  .string({ error: fieldError({ key: 'invalid' }) })
  .trim()
  // Aborts: to normalize 64 KiB of combining marks takes most of a second.
  .max(maxNameUnits, { abort: true, error: nameTooLong })
  .refine(isPlainLine, { abort: true, error: fieldError({ key: 'name_control_characters' }) })
  .refine(isVisible, { abort: true, error: fieldError({ key: 'name_missing' }) })
  // One form for what looks alike, however it was typed.
  .transform((text) => text.normalize('NFC'))
  .refine((text) => [...text].length <= limits.displayName, nameTooLong)

export const user = z.object({
  id: z.string(),
  username: z.string(),
  /** What its owner wants to be called: others may have the same. */
  displayName: z.string().nullable(),
  createdAt: time,
})

export const account = user.extend({
  /** Its owner has proved it by a code, or an operator has vouched for it. */
  email: z.string().nullable(),
  groups: z.array(z.string()),
  hasPassword: z.boolean(),
  /** When the password was set; null without one, or if that is not known. */
  passwordSetAt: time.nullable(),
  passkeys: z.array(passkey),
  recoveryCodesLeft: z.int(),
  /** When the codes that are left were made; null without any, or if that is not known. */
  recoveryCodesMadeAt: time.nullable(),
  /** A recovery by mail that waits, and when its wait ends; null without one. Always null without MAIL_RECOVERY. */
  recovery: z.object({ at: time }).nullable(),
  session: z.object({ expiresAt: time, methods: z.array(method) }),
  /** For WebAuthn's Signal API, as is `userHandle`. */
  rpId: z.string(),
  userHandle: z.string(),
})

export type User = z.infer<typeof user>
export type Account = z.infer<typeof account>
