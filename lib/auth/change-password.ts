import { ApiError } from '@/lib/api/errors'
import { changePasswordInput } from '@/lib/api/schemas'
import { database } from '@/lib/database/client'
import { recordEvent } from './events'
import { hashPassword } from './password-hash'
import { verifyUserPassword } from './password-sign-in'
import type { RequestContext } from './request-context'
import { type OpenedSession, openSession, requireRecentSession, type Session } from './sessions'
import { parse } from './validation'

/**
 * Sets or changes the account's password, ends all its sessions and opens a new one.
 *
 * @param body `{password, currentPassword?}`; the current one is asked of a session that a password opened
 * @throws ApiError not_signed_in, reauthentication_required, invalid_request, authentication_failed, too_many_attempts,
 *   unavailable
 */
export async function changePassword(body: unknown, context: RequestContext): Promise<OpenedSession> {
  const session = await requireRecentSession(context.session)
  const { password, currentPassword } = parse(changePasswordInput, body)
  if (needsCurrentPassword(session)) await requireCurrentPassword(session, currentPassword, context)
  const passwordHash = await hashPassword(password)
  const { user, claims } = session
  const db = await database()
  // If the sessions were ended meanwhile, this one's word counts no more: of two changes at once, one wins.
  const { count } = await db.user.updateMany({
    where: { id: user.id, sessionEpoch: claims.epoch },
    data: { passwordHash, sessionEpoch: { increment: 1 } },
  })
  if (count === 0) throw new ApiError('not_signed_in')
  const [method = 'pwd'] = claims.amr
  // The old session has ended with its epoch: spending it too could only fail, after the password was changed.
  const opened = await openSession({ ...user, sessionEpoch: claims.epoch + 1 }, method, { ...context, session: null })
  await recordEvent(user.id, 'password_changed', context)
  return opened
}

/** Whoever holds a session that a password opened may have it from a browser left open; a passkey or code was at hand just now. */
const needsCurrentPassword = ({ user, claims }: Session) =>
  user.hasPassword && claims.amr.every((method) => method === 'pwd')

async function requireCurrentPassword({ user }: Session, currentPassword: string | undefined, context: RequestContext) {
  if (currentPassword === undefined) {
    throw new ApiError('invalid_request', { fields: { currentPassword: { key: 'current_password_missing' } } })
  }
  const owner = await verifyUserPassword(user.username, currentPassword, context)
  // The name may have gone to another account since the session was read: that one's password proves nothing here.
  if (owner.id !== user.id) throw new ApiError('authentication_failed')
}
