import type { Account } from '@/lib/api/schemas'
import { settings } from '@/lib/settings/settings'
import type { Session } from '../sessions/find'
import { isoOfMilliseconds, isoTimeOrNull } from '../time'
import { codesMadeAt, publicUser } from './account'

/** There is no password while PASSWORDS=off. `rpId` and `userHandle` are for the WebAuthn Signal API. */
export function describeAccount({ user, passkeys, recoveryCodesLeft, recoveryAt, claims }: Session): Account {
  const { passwords, rpId } = settings()
  const hasPassword = passwords && user.hasPassword
  const { id, username, displayName, createdAt } = publicUser(user)
  // Each session check builds it, and V8 takes a microsecond for every property after a spread.
  return {
    id,
    username,
    displayName,
    createdAt,
    email: user.email,
    groups: user.groups,
    hasPassword,
    passwordSetAt: hasPassword ? isoTimeOrNull(user.passwordSetAt) : null,
    passkeys,
    recoveryCodesLeft,
    recoveryCodesMadeAt: codesMadeAt(recoveryCodesLeft, user.recoveryCodesMadeAt),
    recovery: recoveryAt === null ? null : { at: isoOfMilliseconds(recoveryAt) },
    session: { expiresAt: claims.expiresAt, methods: claims.amr },
    rpId,
    userHandle: user.userHandle,
  }
}
