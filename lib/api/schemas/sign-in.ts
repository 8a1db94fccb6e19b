import * as z from 'zod'
import { limits } from '../limits'
import { user } from './account'
import { givenPassword, invitation, newPassword, newUsername, username } from './credentials'
import { fieldError, time } from './fields'
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

/** `token` goes only to clients that are not web pages. */
const session = { expiresAt: time, token: z.string().exactOptional() }

/** For `Latchkey-Step-Up`. Omitted if the passkey could verify its user but did not, or no session was opened. */
const stepUp = z.string().exactOptional()

export const signedIn = z.object({ user, ...session, stepUp })
export const registered = z.object({ user, passkey, ...session, stepUp })
export const renewedSession = z.object(session)
