import type { ErrorCode, FieldErrors, FieldKey } from '@/lib/api/errors'

/** A sentence for every error code: a code without one does not compile. */
export const errorSentences: Record<ErrorCode, string> = {
  invalid_request: 'The request is invalid.',
  authentication_failed: 'Authentication Failed',
  not_signed_in: 'You are not signed in.',
  foreign_origin: 'This request came from another site.',
  reauthentication_required: 'Sign in again to continue.',
  sign_up_closed: "Sign-up isn't open. If you have an invitation, it has been used or has expired.",
  account_disabled: 'An administrator has disabled this account. Nothing in it is lost. Ask whoever runs this service.',
  unknown_passkey: 'Authentication Failed',
  not_found: 'Not found.',
  method_not_allowed: 'Method not allowed.',
  username_taken: 'This username is taken.',
  passkey_taken: 'This passkey is already registered.',
  last_way_in: 'This is the only way to sign in to this account.',
  payload_too_large: 'The request is larger than 64 KiB.',
  unsupported_media_type: 'Send JSON with Content-Type: application/json.',
  too_many_attempts: 'Too many attempts. Try again later.',
  internal_error: 'Something went wrong on our side.',
  unavailable: 'The service is busy. Try again in a moment.',
}

/** The titles of failures whose cause is known, in place of what could not be done. */
export const errorTitles: Partial<Record<ErrorCode, string>> = {
  account_disabled: 'This account is disabled',
}

const count = (amount: number) => amount.toLocaleString('en')

/** A sentence for everything that can be wrong with a field. */
export const fieldSentences: { [K in FieldKey]: (parameters: FieldErrors[K]) => string } = {
  invalid: () => 'This value is invalid.',
  not_json: () => 'Send a JSON object.',
  not_boolean: () => 'Send true or false.',
  not_base64url: () => 'This value must be base64url.',
  too_long: ({ max }) => `Use at most ${count(max)} characters.`,
  username_missing: () => 'Enter a username.',
  username_format: ({ min, max }) => `Use ${min} to ${max} letters, digits or . _ - @ +`,
  signed_in_as: ({ username }) => `You are signed in as ${username}.`,
  password_missing: () => 'Enter a password.',
  password_too_short: ({ min }) => `Use at least ${min} characters.`,
  password_too_long: ({ max }) => `Use at most ${count(max)} bytes.`,
  password_malformed: () => 'Use well-formed Unicode text.',
  password_common: () => 'This password is among the first that attackers try. Choose another one.',
  password_is_name: () => "Don't use your username, or the name or address of this site, as your password.",
  current_password_missing: () => 'Enter your current password.',
  recovery_code_missing: () => 'Enter a recovery code.',
  passkey_name_missing: () => 'Enter a name.',
  passkey_name_control_characters: () => 'Use text without control characters.',
  too_many_passkeys: ({ max }) => `An account can have at most ${max} passkeys. Remove one first.`,
  audience_unknown: () => 'Name the origin of an app that may use this service.',
}
