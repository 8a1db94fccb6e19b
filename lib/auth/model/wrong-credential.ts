import { isApiError } from '@/lib/api/errors'

const codes: readonly string[] = ['authentication_failed', 'unknown_passkey', 'passkey_copied']

/** What limits, logs and counters take for a failed attempt. */
export const isWrongCredential = (error: unknown) => isApiError(error) && codes.includes(error.code)
