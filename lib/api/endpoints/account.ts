import * as z from 'zod'
import { limits } from '../limits'
import { account, displayName, liveSession, user } from '../schemas/account'
import { givenPassword, newPassword, newUsername } from '../schemas/credentials'
import { dismissedNotices, dismissNoticesInput, events, eventsInput, notableEvents } from '../schemas/events'
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
} from '../schemas/fields'
import type { Endpoints } from './endpoint'
import { renewedSession } from './sign-in'

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

export const revokeSessionInput = z.object({ id: base64url(limits.tokenId) })

export const signOutEverywhereInput = z.object({ exceptThis: flag })

export const sessions = z.object({ sessions: z.array(liveSession) })

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

export const renamedAccount = z.object({ user })

export const recoveryCodes = z.object({ codes: z.array(z.string()).length(limits.recoveryCodes) })

export const accountEndpoints = {
  'POST /api/i': {
    caller: 'session',
    origin: 'listed',
    results: { 200: account },
    errors: [],
    summary: 'The account, its passkeys and the session',
  },
  'POST /api/i/events': {
    caller: 'session',
    body: eventsInput,
    bodyOptional: true,
    results: { 200: events },
    errors: [],
    summary: 'The events of the last 90 days, newest first, 50 a page',
  },
  'POST /api/i/notices': {
    caller: 'session',
    results: { 200: notableEvents },
    errors: [],
    summary:
      'The events of the last 90 days that the owner should look at: changed usernames and ways to sign in, sign-ins from new browsers, failures; newest first, at most 50 of a type. Leaves out those that the owner has dismissed for the account, and what the session that created it did on the first day',
  },
  'POST /api/i/notices/dismiss': {
    caller: 'step-up',
    body: dismissNoticesInput,
    results: { 200: dismissedNotices },
    errors: ['too_many_attempts'],
    summary:
      "Dismisses the events up to `until` for the whole account, as the owner's own. Only events younger than the passkey of the step-up are dismissed: a step-up by password or recovery code dismisses none",
  },
  'POST /api/i/passkeys/rename': {
    caller: 'session',
    body: renamePasskeyInput,
    results: { 204: null },
    errors: ['not_found', 'too_many_attempts'],
    summary: 'Renames a passkey',
  },
  'POST /api/i/passkeys/remove': {
    caller: 'step-up',
    body: removePasskeyInput,
    results: { 200: renewedSession, 204: null },
    errors: ['not_found', 'last_way_in'],
    summary:
      'Removes a passkey, unless it is the last way to sign in, and ends the sessions that it opened; 200 with a new session if this was one of them',
  },
  'POST /api/i/password': {
    caller: 'step-up',
    usesPassword: true,
    body: changePasswordInput,
    results: { 200: renewedSession },
    errors: ['authentication_failed', 'too_many_attempts'],
    summary: 'Sets the password, ends all sessions and opens a new one',
  },
  'POST /api/i/password/remove': {
    caller: 'step-up',
    usesPassword: true,
    results: { 204: null },
    errors: ['last_way_in'],
    summary: 'Removes the password, unless there is no passkey, and ends the other sessions that it opened',
  },
  'POST /api/i/username': {
    caller: 'step-up',
    body: changeUsernameInput,
    results: { 200: renamedAccount },
    errors: ['username_taken', 'too_many_attempts'],
    summary: 'Changes the username',
  },
  'POST /api/i/name': {
    caller: 'session',
    body: changeDisplayNameInput,
    results: { 200: renamedAccount },
    errors: ['too_many_attempts'],
    summary: 'Changes the display name, or removes it',
  },
  'POST /api/i/email': {
    caller: 'step-up',
    body: requestEmailInput,
    results: { 202: requestedEmail },
    errors: ['not_found', 'too_many_attempts'],
    summary:
      'Sends a letter with a code of six digits to an e-mail address, unless a limit drops it; a new request ends the earlier code. The answer is the same for an address that another account has, which gets a letter that says so. 404 without SMTP_URL',
  },
  'POST /api/i/email/verify': {
    caller: 'session',
    body: verifyEmailInput,
    results: { 200: renamedAccount },
    errors: ['not_found', 'authentication_failed'],
    summary:
      'Gives the account the e-mail address whose code the session that asked for it shows; five tries. 404 without SMTP_URL',
  },
  'POST /api/i/email/remove': {
    caller: 'step-up',
    results: { 204: null },
    errors: [],
    summary: 'Removes the e-mail address',
  },
  'POST /api/i/hint': {
    caller: 'session',
    body: rememberInput,
    results: { 204: null },
    errors: [],
    summary: 'Remembers the username in this browser for the next sign-in, or forgets it; the cookie `hint` holds it',
  },
  'POST /api/i/recovery-codes': {
    caller: 'step-up',
    results: { 201: recoveryCodes },
    errors: ['too_many_attempts'],
    summary: 'Replaces the recovery codes with ten new ones, and ends other sessions that old ones opened',
  },
  'POST /api/i/recovery/stop': {
    caller: 'session',
    usesRecovery: true,
    results: { 204: null },
    errors: [],
    summary: 'Stops all recoveries of the account by mail',
  },
  'POST /api/i/sessions': {
    caller: 'session',
    results: { 200: sessions },
    errors: [],
    summary: `The account's valid sessions, newest first: at most ${limits.sessions}, always with the current one`,
  },
  'POST /api/i/sessions/revoke': {
    caller: 'session-and-maybe-step-up',
    body: revokeSessionInput,
    results: { 204: null },
    errors: ['not_found'],
    summary:
      'Ends one session of the account; any but the current one needs a step-up, unless a credential was shown for the current one in the last ten minutes',
  },
  'POST /api/i/signout-everywhere': {
    caller: 'session-and-maybe-step-up',
    body: signOutEverywhereInput,
    bodyOptional: true,
    results: { 200: renewedSession, 204: null },
    errors: [],
    summary:
      'Ends all sessions of the account. With `exceptThis`, answers 200 and a new session in place of this one; that needs a step-up, unless a credential was shown for this session in the last ten minutes',
  },
  'POST /api/i/delete': {
    caller: 'step-up',
    results: { 204: null },
    errors: [],
    summary: 'Deletes the account and all that it owns',
  },
} as const satisfies Endpoints
