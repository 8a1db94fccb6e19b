import * as z from 'zod'
import { limits } from '../limits'
import { givenPassword, newPassword, newUsername } from './credentials'
import { boolean, credentialId, emailAddress, fieldError, isPlainLine, isVisible, text, time } from './fields'
import { passkey } from './passkeys'
import { method } from './sessions'

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
