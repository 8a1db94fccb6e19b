import { createAuthenticationOptions } from '@/lib/auth/passkeys/authentication-options'
import { settings } from '@/lib/settings/settings'

/**
 * Null on a front end, which does not know all of the backend's settings. No rate limit: a challenge is a signed token,
 * which costs less than its page and is stored only when used.
 */
export const passkeyOptions = async () =>
  settings().backendUrl ? null : createAuthenticationOptions({ body: { anyAccount: true }, context: { session: null } })
