import type { changeDisplayNameInput } from '@/lib/api/schemas'
import { jsonOf, sql, statement } from '@/lib/database/sql'
import { recordEvent } from '../audit/events'
import { announce, deliverWebhooks } from '../audit/webhooks'
import type { Parsed } from '../request'
import type { Session } from '../sessions/find'
import { asSession, type Writer } from '../sessions/write'
import { limitWrites } from '../throttling/attempts'
import { displayNameKey, publicUser, type UserRow } from './account'

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
    updated: statement(
      db,
      sql`
        UPDATE "User" AS u SET "displayName" = ${name}, "displayNameKey" = ${displayNameKey(name)},
          "renamedAt" = ${BigInt(Date.now())}
        WHERE ${changed}`,
    ),
    user: db.user.findUniqueOrThrow({ where: { id } }),
  }))
  deliverWebhooks()
  return { isChanged: updated === 1, user }
}
