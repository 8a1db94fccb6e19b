import * as schemas from '../schemas'
import type { Endpoints } from './endpoint'

export const signInEndpoints = {
  'POST /api/signup': {
    caller: 'anyone',
    usesPassword: true,
    body: schemas.signUpInput,
    results: { 201: schemas.signedIn },
    errors: ['authentication_failed', 'sign_up_closed', 'passkey_required', 'username_taken', 'too_many_attempts'],
    summary: 'Creates an account with a password and opens a session',
  },
  'POST /api/signin': {
    caller: 'anyone',
    usesPassword: true,
    body: schemas.signInInput,
    results: { 200: schemas.signedIn },
    errors: ['authentication_failed', 'account_disabled', 'too_many_attempts'],
    summary: 'Signs in with a password and opens a session',
  },
  'POST /api/signin/recovery': {
    caller: 'anyone',
    body: schemas.recoverySignInInput,
    results: { 200: schemas.signedIn },
    errors: ['authentication_failed', 'account_disabled', 'too_many_attempts'],
    summary: 'Signs in with a recovery code, which is used up, and opens a session',
  },
  'POST /api/recover': {
    caller: 'anyone',
    usesRecovery: true,
    body: schemas.recoverInput,
    results: { 202: schemas.askedRecovery },
    errors: [],
    summary:
      'Sends a letter that opens a recovery, if the account has an address that its person proved seven days ago or more, and sets the cookie `recovery` by which this browser goes on. The answer is the same for everybody',
  },
  'POST /api/recover/show': {
    caller: 'anyone',
    usesRecovery: true,
    body: schemas.recoveryTokenInput,
    results: { 200: schemas.shownRecovery },
    errors: ['authentication_failed', 'too_many_attempts'],
    summary: 'How far the recovery of the letter is; changes nothing',
  },
  'POST /api/recover/confirm': {
    caller: 'anyone',
    usesRecovery: true,
    body: schemas.recoveryTokenInput,
    results: { 200: schemas.confirmedRecovery },
    errors: ['authentication_failed', 'not_allowed', 'too_many_attempts'],
    summary:
      'Begins the wait of MAIL_RECOVERY, which the owner can stop; `at` is its end, after which a new way in can be set for 72 hours. Only in the browser that asked',
  },
  'POST /api/recover/options': {
    caller: 'anyone',
    usesRecovery: true,
    body: schemas.recoveryTokenInput,
    results: { 200: schemas.registrationOptions },
    errors: ['authentication_failed', 'not_allowed', 'too_early', 'too_many_attempts'],
    summary: 'After the wait, options for `navigator.credentials.create()`',
  },
  'POST /api/recover/passkey': {
    caller: 'anyone',
    usesRecovery: true,
    body: schemas.recoveryPasskeyInput,
    results: { 201: schemas.registered },
    errors: ['authentication_failed', 'not_allowed', 'too_early', 'passkey_taken', 'too_many_attempts'],
    summary:
      'After the wait, ends all sessions, grants, passwords, passkeys and recovery codes of the account, adds the passkey and opens a session',
  },
  'POST /api/recover/password': {
    caller: 'anyone',
    usesPassword: true,
    usesRecovery: true,
    body: schemas.recoveryPasswordInput,
    results: { 200: schemas.signedIn },
    errors: ['authentication_failed', 'not_allowed', 'too_early', 'too_many_attempts'],
    summary: 'The same with a new password',
  },
  'POST /api/recover/stop': {
    caller: 'anyone',
    usesRecovery: true,
    body: schemas.recoveryTokenInput,
    results: { 204: null },
    errors: ['authentication_failed', 'too_many_attempts'],
    summary:
      'Stops all recoveries of the account, by the token of the letter that says that one waits; needs no session',
  },
  'POST /api/signout': {
    caller: 'anyone',
    origin: 'listed',
    results: { 204: null },
    errors: [],
    summary: 'Revokes the session, if there is one',
  },
  'POST /api/auth/register/options': {
    caller: 'step-up-if-session',
    body: schemas.registrationOptionsInput,
    results: { 200: schemas.registrationOptions },
    errors: ['not_signed_in', 'sign_up_closed', 'username_taken', 'too_many_attempts'],
    summary: 'Options for `navigator.credentials.create()`; with a session and its step-up token, for its account',
  },
  'POST /api/auth/register/verify': {
    caller: 'anyone',
    body: schemas.registrationResponse,
    results: { 201: schemas.registered },
    errors: [
      'authentication_failed',
      'not_signed_in',
      'sign_up_closed',
      'username_taken',
      'passkey_taken',
      'too_many_attempts',
    ],
    summary: "Verifies a registration: a new account with a session, or one more passkey for the session's account",
  },
  'POST /api/auth/login/options': {
    caller: 'anyone',
    body: schemas.authenticationOptionsInput,
    bodyOptional: true,
    results: { 200: schemas.authenticationOptions },
    errors: [],
    summary:
      "Options for `navigator.credentials.get()`; with a session, for its account's passkeys unless `anyAccount` is set",
  },
  'POST /api/auth/login/verify': {
    caller: 'anyone',
    body: schemas.authenticationResponse,
    results: { 200: schemas.signedIn },
    errors: ['authentication_failed', 'account_disabled', 'unknown_passkey', 'passkey_copied', 'too_many_attempts'],
    summary: 'Verifies an authentication and opens a session',
  },
} as const satisfies Endpoints
