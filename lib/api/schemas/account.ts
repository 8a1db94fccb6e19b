import * as z from 'zod'
import { limits } from '../limits'
import { givenPassword, newPassword, newUsername } from './credentials'
import {
  base64url,
  boolean,
  credentialId,
  emailAddress,
  fieldError,
  flag,
  isPlainLine,
  isVisible,
  text,
  time,
} from './fields'

export const renamePasskeyInput = z.object({
  id: credentialId,
  name: z
    .string({ error: fieldError({ key: 'name_missing' }) })
    .trim()
    .min(1, fieldError({ key: 'name_missing' }))
    .max(limits.passkeyName, fieldError({ key: 'too_long', max: limits.passkeyName }))
    .refine(isPlainLine, fieldError({ key: 'name_control_characters' }))
    .refine((text) => text === '' || isVisible(text), fieldError({ key: 'name_missing' })),
})
export const removePasskeyInput = z.object({ id: credentialId })

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

export const revokeSessionInput = z.object({ id: base64url(limits.tokenId) })
export const signOutEverywhereInput = z.object({ exceptThis: flag })

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
export const sessions = z.object({ sessions: z.array(liveSession) })

export type LiveSession = z.infer<typeof liveSession>

export const changePasswordInput = z.object({
  password: newPassword,
  currentPassword: givenPassword.optional(),
  keepPasskeys: z
    .array(credentialId, fieldError({ key: 'invalid' }))
    .max(limits.passkeys, fieldError({ key: 'invalid' }))
    .optional()
    .meta({
      description:
        'Passkeys that stay. Others are removed if another session has added them in the last 90 days and their notice was not dismissed for the account, but for the one that opened the session',
    }),
  keepRecoveryCodes: boolean.optional().meta({
    description:
      'Without it, recovery codes are removed if another session has made them in the last 90 days and their notice was not dismissed for the account',
  }),
})
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

export const changeDisplayNameInput = z.object({
  displayName: displayName.nullable().meta({
    description: '1 to 64 code points in NFC, without control characters; null removes it',
  }),
})
export const changeUsernameInput = z.object({ username: newUsername })
export const requestEmailInput = z.object({
  email: emailAddress.meta({ description: 'One address of at most 254 characters; its domain also in other scripts' }),
})
export const requestedEmail = z.object({
  /** When the code in the letter ends. */
  expiresAt: time,
})
export const verifyEmailInput = z.object({
  code: text
    .max(32, fieldError({ key: 'too_long', max: 32 }))
    .meta({ description: 'Six digits; spaces do not matter' }),
})
export const rememberInput = z.object({ remember: boolean })

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

export const renamedAccount = z.object({ user })
export const recoveryCodes = z.object({ codes: z.array(z.string()).length(limits.recoveryCodes) })

export type User = z.infer<typeof user>
export type Account = z.infer<typeof account>
