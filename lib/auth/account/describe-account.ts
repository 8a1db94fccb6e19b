import type { Account } from '@/lib/api/schemas'
import { settings } from '@/lib/settings/settings'
import { publicUser } from '../model/accounts'
import { timeOrNull } from '../model/time'
import type { Session } from '../sessions/find-session'

/** There is no password while PASSWORDS=off. `rpId` and `userHandle` are for the WebAuthn Signal API. */
export function describeAccount({ user, passkeys, recoveryCodesLeft, claims }: Session): Account {
  const { passwords, rpId } = settings()
  const hasPassword = passwords && user.hasPassword
  return {
    ...publicUser(user),
    email: user.email,
    groups: user.groups,
    hasPassword,
    passwordSetAt: hasPassword ? timeOrNull(user.passwordSetAt) : null,
    passkeys,
    recoveryCodesLeft,
    recoveryCodesMadeAt: recoveryCodesLeft > 0 ? timeOrNull(user.recoveryCodesMadeAt) : null,
    session: { expiresAt: claims.expiresAt, methods: claims.amr },
    rpId,
    userHandle: user.userHandle,
  }
}
