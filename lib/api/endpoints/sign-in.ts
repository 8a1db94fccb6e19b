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
