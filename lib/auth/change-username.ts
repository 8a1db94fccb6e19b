import { ApiError } from '@/lib/api/errors'
import { changeUsernameInput } from '@/lib/api/schemas'
import { database } from '@/lib/database/client'
import { isConflict, isGone } from '@/lib/database/errors'
import { publicUser, usernameKey } from './accounts'
import { recordEvent } from './events'
import type { RequestContext } from './request-context'
import { requireRecentSession } from './sessions'
import { claimUsername, consumeAddressAttempt } from './throttling-policies'
import { parse } from './validation'

/**
 * @param body `{username}`
 * @returns `{user}`
 * @throws ApiError not_signed_in, reauthentication_required, invalid_request, username_taken, too_many_attempts
 */
export async function changeUsername(body: unknown, context: RequestContext) {
  const { user } = await requireRecentSession(context.session)
  const input = parse(changeUsernameInput, body)
  if (input.username === user.username) return { user: publicUser(user) }
  const attempt = await consumeAddressAttempt('address', context.address)
  const renamed = await claimUsername(attempt, () => rename(user.id, input.username))
  await attempt.refund()
  await recordEvent(user.id, 'username_changed', context)
  return { user: publicUser(renamed) }
}

async function rename(id: string, username: string) {
  const db = await database()
  const data = { username, usernameKey: usernameKey(username) }
  // Write and catch: the unique key admits one of several concurrent claims.
  return db.user.update({ where: { id }, data }).catch((cause: unknown) => {
    if (isConflict(cause)) throw new ApiError('username_taken', { cause })
    throw isGone(cause) ? new ApiError('not_signed_in', { cause }) : cause
  })
}
