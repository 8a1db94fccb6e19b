import { ApiError } from '@/lib/api/errors'
import { limits } from '@/lib/api/limits'
import type { changeDisplayNameInput, changeUsernameInput } from '@/lib/api/schemas'
import { type Database, database, type Statement } from '@/lib/database/client'
import { isConflict } from '@/lib/database/errors'
import { failIf, sql, statement } from '@/lib/database/sql'
import { jsonOf, jsonText } from '@/lib/delivery/outbox'
import { displayNameKey, publicUser, type UserRow, usernameKey } from '../account'
import { recordEvent } from '../events/record'
import { announce, deliverWebhooks, isAccount } from '../events/webhooks'
import type { Parsed } from '../request'
import type { Session } from '../sessions/find'
import type { StepUp } from '../sessions/step-up'
import { asSession, asStepUp, type PrivilegedWriter, type Writer } from '../sessions/write'
import { consumeAddressAttempt, limitWrites, refundUnlessTaken } from '../throttling/attempts'
import { insertIdentifier, markAsUsername, ownedUsernames, requireNotRetired } from './identifiers'

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

export interface UsernameChange {
  statements(db: Database, id: string, key: string): Statement[]
  /** The error to answer with when the statements violated a unique key. */
  conflict(db: Database, id: string, cause: unknown): Promise<ApiError>
}

/** The previous username stays the account's. */
export const ownersUsernameChange: UsernameChange = {
  statements: (db, id, key) => [
    requireFewUsernames(db, id, key),
    insertIdentifier(db, id, key),
    markAsUsername(db, id, key),
    requireNotRetired(db, key),
  ],
  async conflict(db, id, cause) {
    const count = await db.identifier.count({ where: ownedUsernames(id) })
    if (count < limits.usernames) return usernameTaken(cause)
    const fields = { username: { key: 'too_many_usernames', max: limits.usernames } } as const
    return new ApiError('invalid_request', { cause, fields })
  },
}

export const usernameTaken = (cause: unknown) => new ApiError('username_taken', { cause })

/** Fails if a username that is new to the account would be too many; operators may have given it more. */
const requireFewUsernames = (db: Database, id: string, key: string) =>
  failIf(
    db,
    sql`
      (SELECT COUNT(*) FROM "Identifier" o
        WHERE o."userId" = ${id} AND (o."username" OR o."former")) >= ${limits.usernames}
      AND NOT EXISTS (SELECT 1 FROM "Identifier" k
        WHERE k."key" = ${key} AND k."userId" = ${id} AND (k."username" OR k."former"))`,
  )

/** A session suffices, since the name opens nothing and proves nobody. */
export async function changeDisplayName({
  body: { displayName },
  session,
  context,
}: Parsed<typeof changeDisplayNameInput> & { session: Session }) {
  const { user, claims } = session
  if (displayName === user.displayName) return { user: publicUser(user) }
  const { isChanged, user: named } = await limitWrites('session-writes', session, () =>
    nameUser(asSession(claims), user.id, displayName),
  )
  if (isChanged) await recordEvent(user.id, 'name_changed', context, { session: claims })
  return { user: publicUser(named) }
}

/** Announces nothing if an equal request came first. @param name as its schema returns it */
export async function nameUser(
  write: Writer,
  id: string,
  name: string | null,
): Promise<{ isChanged: boolean; user: UserRow }> {
  const changed = sql`u."id" = ${id} AND u."displayName" IS DISTINCT FROM ${name}`
  const { updated, user } = await write((db) => ({
    announcement: announce(db, 'account.changed', changed, { displayName: jsonOf(name) }),
    updated: statement(db)`
      UPDATE "User" AS u SET "displayName" = ${name}, "displayNameKey" = ${displayNameKey(name)},
        "renamedAt" = ${BigInt(Date.now())}
      WHERE ${changed}`,
    user: db.user.findUniqueOrThrow({ where: { id } }),
  }))
  deliverWebhooks()
  return { isChanged: updated === 1, user }
}
