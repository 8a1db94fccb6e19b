import * as z from 'zod'
import { limits } from '../limits'
import { user } from './account'
import { registrationResponse } from './ceremonies'
import { givenPassword, invitation, newPassword, newUsername, username } from './credentials'
import { fieldError, isPlainLine, text, time } from './fields'
import { passkey } from './passkeys'

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
