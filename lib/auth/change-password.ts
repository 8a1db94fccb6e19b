import { ApiError } from '@/lib/api/errors'
import { changePasswordInput } from '@/lib/api/schemas'
import { database } from '@/lib/database/client'
import { usernameKey } from './accounts'
import { recordEvent } from './events'
import { hashPassword } from './password-hash'
import { verifyUserPassword } from './password-sign-in'
import type { RequestContext } from './request-context'
import { type OpenedSession, openSession, requireRecentSession, requireSession, type Session } from './sessions'
import { parse } from './validation'

/**
 * Sets or changes the password, revokes all sessions of the account and opens a new one.
 *
 * @param body `{password, currentPassword?}`; a session opened with a password must send the current one
 * @throws ApiError not_signed_in, reauthentication_required, invalid_request, authentication_failed, too_many_attempts,
 *   unavailable
 */
export async function changePassword(body: unknown, context: RequestContext): Promise<OpenedSession> {
  const session = await requireRecentSession(context.session)
  const { password, currentPassword } = parse(changePasswordInput, body)
  if (needsCurrentPassword(session)) await requireCurrentPassword(session, currentPassword, context)
  const { user, claims } = session
  const passwordHash = await hashPassword(password, {
    account: usernameKey(user.username),
    context,
    // A session revoked during the wait gets no hash.
    afterWaiting: () => requireSession(context.session),
  })
  const db = await database()
  // Conditional on the epoch: a session revoked meanwhile changes nothing, and one of two concurrent changes wins.
  const { count } = await db.user.updateMany({
    where: { id: user.id, sessionEpoch: claims.epoch },
    data: { passwordHash, sessionEpoch: { increment: 1 } },
  })
  if (count === 0) throw new ApiError('not_signed_in')
  const [method = 'pwd'] = claims.amr
  // The new epoch has revoked the old session; doing it again could only fail after the password has changed.
  const opened = await openSession({ ...user, sessionEpoch: claims.epoch + 1 }, method, { ...context, session: null })
  await recordEvent(user.id, 'password_changed', context)
  return opened
}

/** An unattended browser must not suffice, but after a passkey or recovery code the password may be forgotten. */
const needsCurrentPassword = ({ user, claims }: Session) =>
  user.hasPassword && claims.amr.every((method) => method === 'pwd')

async function requireCurrentPassword({ user }: Session, currentPassword: string | undefined, context: RequestContext) {
  if (currentPassword === undefined) {
    throw new ApiError('invalid_request', { fields: { currentPassword: { key: 'current_password_missing' } } })
  }
  const { id } = await verifyUserPassword(user.username, currentPassword, context)
  // The username may have moved to another account meanwhile, whose password proves nothing about this one.
  if (id !== user.id) throw new ApiError('authentication_failed')
}
