import * as z from 'zod'
import { limits } from '../limits'
import { givenPassword, newPassword, newUsername } from './credentials'
import { boolean, credentialId, fieldError, time } from './fields'
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
export const changeUsernameInput = z.object({ username: newUsername })
export const rememberInput = z.object({ remember: boolean })

export const user = z.object({ id: z.string(), username: z.string(), createdAt: time })

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

export const renamedAccount = z.object({ user })
export const recoveryCodes = z.object({ codes: z.array(z.string()).length(limits.recoveryCodes) })

export type User = z.infer<typeof user>
export type Account = z.infer<typeof account>
