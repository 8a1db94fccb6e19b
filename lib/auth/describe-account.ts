import type { Account } from '@/lib/api/schemas'
import { settings } from '@/lib/settings/settings'
import { publicUser } from './accounts'
import type { Session } from './sessions'

/** What a signed-in user is told of the account and the session. `rpId` and `userHandle` are for WebAuthn's Signal API. */
export function describeAccount({ user, passkeys, recoveryCodesLeft, claims }: Session): Account {
  return {
    ...publicUser(user),
    hasPassword: user.hasPassword,
    passkeys,
    recoveryCodesLeft,
    session: { expiresAt: new Date(claims.exp * 1000).toISOString(), methods: claims.amr },
    rpId: settings().rpId,
    userHandle: user.id,
  }
}
