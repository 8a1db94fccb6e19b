import type { Account } from '@/lib/api/schemas'
import { settings } from '@/lib/settings/settings'
import { publicUser } from '../model/accounts'
import type { Session } from '../sessions/sessions'

/** `hasPassword` is false while PASSWORDS=off. `rpId` and `userHandle` are for the WebAuthn Signal API. */
export function describeAccount({ user, passkeys, recoveryCodesLeft, claims }: Session): Account {
  const { passwords, rpId } = settings()
  return {
    ...publicUser(user),
    hasPassword: passwords && user.hasPassword,
    passkeys,
    recoveryCodesLeft,
    session: { expiresAt: claims.expiresAt, methods: claims.amr },
    rpId,
    userHandle: user.userHandle,
  }
}
