import type { changeUsernameInput } from '@/lib/api/schemas'
import { database } from '@/lib/database/client'
import { isConflict } from '@/lib/database/errors'
import { sql } from '@/lib/database/fragments'
import { jsonOf, jsonText } from '@/lib/database/json-text'
import { recordEvent } from '../audit/events'
import { publicUser, type UserRow, usernameKey } from '../model/accounts'
import { ownersUsernameChange, type UsernameChange } from '../model/identifiers'
import type { Parsed } from '../model/request-context'
import type { StepUp } from '../sessions/step-up'
import { asStepUp, type PrivilegedWriter } from '../sessions/write-as-session'
import { consumeAddressAttempt, limitWrites, refundUnlessTaken } from '../throttling/attempts'
import { announce, deliverWebhooks, isAccount } from '../webhooks/announce'

export async function changeUsername({
  body: { username },
  stepUp,
  context,
}: Parsed<typeof changeUsernameInput> & { stepUp: StepUp }) {
  const { user, claims } = stepUp.session
  if (username === user.username) return { user: publicUser(user) }
  const attempt = await consumeAddressAttempt('address', context.address)
  const { isChanged, user: renamed } = await refundUnlessTaken(attempt, () =>
    limitWrites('account-writes', stepUp.session, () => renameUser(asStepUp(stepUp), user.id, username)),
  )
  if (isChanged) await recordEvent(user.id, 'username_changed', context, { session: claims })
  await attempt.refund()
  return { user: publicUser(renamed) }
}

/**
 * Announces nothing if an equal request came first.
 *
 * @throws ApiError username_taken; invalid_request if the account has had too many
 */
export async function renameUser(
  write: PrivilegedWriter,
  id: string,
  username: string,
  change: UsernameChange = ownersUsernameChange,
): Promise<{ isChanged: boolean; user: UserRow }> {
  const key = usernameKey(username)
  const data = { username, usernameKey: key, renamedAt: BigInt(Date.now()) }
  const names = { username: jsonOf(username), previousUsername: jsonText(sql`u."username"`) }
  const changed = sql`${isAccount(id)} AND u."username" <> ${username}`
  const renaming = write((db) => ({
    announcement: announce(db, 'account.renamed', changed, names),
    renamed: db.user.updateMany({ where: { id, username: { not: username } }, data }),
    identifiers: change.statements(db, id, key),
    user: db.user.findUniqueOrThrow({ where: { id } }),
  }))
  const { renamed, user } = await renaming.catch(async (cause: unknown) => {
    // Write and catch: the unique key admits one of several concurrent claims.
    throw isConflict(cause) ? await change.conflict(await database(), id, cause) : cause
  })
  deliverWebhooks()
  return { isChanged: renamed.count === 1, user }
}
