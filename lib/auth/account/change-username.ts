import { ApiError } from '@/lib/api/errors'
import type { changeUsernameInput } from '@/lib/api/schemas'
import { isConflict } from '@/lib/database/errors'
import { recordEvent } from '../audit/events'
import { publicUser, type UserRow, usernameKey } from '../model/accounts'
import type { Parsed } from '../model/request-context'
import type { StepUp } from '../sessions/step-up'
import { asStepUp, type PrivilegedWriter } from '../sessions/write-as-session'
import { claimUsername, consumeAddressAttempt, limitAccountWrites } from '../throttling/throttling-policies'

export async function changeUsername({
  body: { username },
  stepUp,
  context,
}: Parsed<typeof changeUsernameInput> & { stepUp: StepUp }) {
  const { user } = stepUp.session
  if (username === user.username) return { user: publicUser(user) }
  const attempt = await consumeAddressAttempt('address', context.address)
  const renamed = await claimUsername(attempt, () =>
    limitAccountWrites(user.id, () => rename(asStepUp(stepUp), user.id, username)),
  )
  await attempt.refund()
  await recordEvent(user.id, 'username_changed', context)
  return { user: publicUser(renamed) }
}

export async function rename(write: PrivilegedWriter, id: string, username: string): Promise<UserRow> {
  const data = { username, usernameKey: usernameKey(username), renamedAt: BigInt(Date.now()) }
  const [user] = await write((db) => [db.user.update({ where: { id }, data })]).catch((cause: unknown) => {
    // Write and catch: the unique key admits one of several concurrent claims.
    throw isConflict(cause) ? new ApiError('username_taken', { cause }) : cause
  })
  return user
}
