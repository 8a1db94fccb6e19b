import { limits } from '../limits'
import * as schemas from '../schemas'
import type { Endpoints } from './endpoint'

export const accountEndpoints = {
  'POST /api/i': {
    caller: 'session',
    origin: 'listed',
    results: { 200: schemas.account },
    errors: [],
    summary: 'The account, its passkeys and the session',
  },
  'POST /api/i/events': {
    caller: 'session',
    body: schemas.eventsInput,
    bodyOptional: true,
    results: { 200: schemas.events },
    errors: [],
    summary: 'The events of the last 90 days, newest first, 50 a page',
  },
  'POST /api/i/notices': {
    caller: 'session',
    results: { 200: schemas.notableEvents },
    errors: [],
    summary:
      'The events of the last 90 days that the owner should look at: changed usernames and ways to sign in, sign-ins from new browsers, failures; newest first, at most 50 of a type. Leaves out those that the owner has dismissed for the account, and what the session that created it did on the first day',
  },
  'POST /api/i/notices/dismiss': {
    caller: 'step-up',
    body: schemas.dismissNoticesInput,
    results: { 200: schemas.dismissedNotices },
    errors: ['too_many_attempts'],
    summary:
      "Dismisses the events up to `until` for the whole account, as the owner's own. Only events younger than the passkey of the step-up are dismissed: a step-up by password or recovery code dismisses none",
  },
  'POST /api/i/passkeys/rename': {
    caller: 'session',
    body: schemas.renamePasskeyInput,
    results: { 204: null },
    errors: ['not_found', 'too_many_attempts'],
    summary: 'Renames a passkey',
  },
  'POST /api/i/passkeys/remove': {
    caller: 'step-up',
    body: schemas.removePasskeyInput,
    results: { 200: schemas.renewedSession, 204: null },
    errors: ['not_found', 'last_way_in'],
    summary:
      'Removes a passkey, unless it is the last way to sign in, and ends the sessions that it opened; 200 with a new session if this was one of them',
  },
  'POST /api/i/password': {
    caller: 'step-up',
    usesPassword: true,
    body: schemas.changePasswordInput,
    results: { 200: schemas.renewedSession },
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
    body: schemas.changeUsernameInput,
    results: { 200: schemas.renamedAccount },
    errors: ['username_taken', 'too_many_attempts'],
    summary: 'Changes the username',
  },
  'POST /api/i/name': {
    caller: 'session',
    body: schemas.changeDisplayNameInput,
    results: { 200: schemas.renamedAccount },
    errors: ['too_many_attempts'],
    summary: 'Changes the display name, or removes it',
  },
  'POST /api/i/email': {
    caller: 'step-up',
    body: schemas.requestEmailInput,
    results: { 202: schemas.requestedEmail },
    errors: ['not_found', 'too_many_attempts'],
    summary:
      'Sends a letter with a code of six digits to an e-mail address, unless a limit drops it; a new request ends the earlier code. The answer is the same for an address that another account has, which gets a letter that says so. 404 without SMTP_URL',
  },
  'POST /api/i/email/verify': {
    caller: 'session',
    body: schemas.verifyEmailInput,
    results: { 200: schemas.renamedAccount },
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
    body: schemas.rememberInput,
    results: { 204: null },
    errors: [],
    summary: 'Remembers the username in this browser for the next sign-in, or forgets it; the cookie `hint` holds it',
  },
  'POST /api/i/recovery-codes': {
    caller: 'step-up',
    results: { 201: schemas.recoveryCodes },
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
    results: { 200: schemas.sessions },
    errors: [],
    summary: `The account's valid sessions, newest first: at most ${limits.sessions}, always with the current one`,
  },
  'POST /api/i/sessions/revoke': {
    caller: 'session-and-maybe-step-up',
    body: schemas.revokeSessionInput,
    results: { 204: null },
    errors: ['not_found'],
    summary:
      'Ends one session of the account; any but the current one needs a step-up, unless a credential was shown for the current one in the last ten minutes',
  },
  'POST /api/i/signout-everywhere': {
    caller: 'session-and-maybe-step-up',
    body: schemas.signOutEverywhereInput,
    bodyOptional: true,
    results: { 200: schemas.renewedSession, 204: null },
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
