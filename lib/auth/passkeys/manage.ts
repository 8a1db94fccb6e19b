import { ApiError } from '@/lib/api/errors'
import { removePasskeyInput, renamePasskeyInput } from '@/lib/api/schemas'
import { revocationOfRemovedPasskey } from '@/lib/database/consumed-tokens'
import { settings } from '@/lib/settings/settings'
import type { Database } from '../accounts'
import { recordEvent } from '../events'
import { type OpenedSession, renewSession } from '../open-session'
import type { RequestContext } from '../request-context'
import { requireSession } from '../sessions'
import { requireStepUp } from '../step-up'
import { limitAccountWrites } from '../throttling-policies'
import { parse } from '../validation'
import { writeAsSession } from '../write-as-session'

/**
 * @param body `{id, name}`
 * @throws ApiError not_signed_in, invalid_request, not_found, too_many_attempts
 */
export async function renamePasskey(body: unknown, context: RequestContext): Promise<void> {
  const { user, claims } = await requireSession(context.session)
  const { id, name } = parse(renamePasskeyInput, body)
  await limitAccountWrites(user.id, async () => {
    const [{ count }] = await writeAsSession(claims, (db) => [
      db.passkey.updateMany({ where: { id, userId: user.id }, data: { name } }),
    ])
    if (count === 0) throw new ApiError('not_found')
  })
}

/**
 * Removes a passkey, and with it the sessions that it opened.
 *
 * @param body `{id}`
 * @returns a session in place of the request's, if that was one of them
 * @throws ApiError not_signed_in, reauthentication_required, invalid_request, not_found, last_way_in
 */
export async function removePasskey(body: unknown, context: RequestContext): Promise<OpenedSession | null> {
  const { user, claims } = await requireStepUp(context)
  const { id } = parse(removePasskeyInput, body)
  const [removed, , kept] = await writeAsSession(claims, (db) => [
    removalUnlessLast(db, id, user.id),
    revocationOfRemovedPasskey(db, user.id, id),
    // Asked in the same batch: later, another request may have deleted the account.
    db.passkey.count({ where: { id, userId: user.id } }),
  ])
  if (removed === 0) throw new ApiError(kept > 0 ? 'last_way_in' : 'not_found')
  await recordEvent(user.id, 'passkey_removed', context)
  const { pk, ...rest } = claims
  return pk === id ? renewSession(user, rest, context) : null
}

/**
 * Behind the account's lock, two concurrent requests cannot remove its last two passkeys. A password that is kept while
 * PASSWORDS=off opens nothing, so it does not count.
 */
const removalUnlessLast = (db: Database, id: string, userId: string) => db.$executeRaw`
  DELETE FROM "Passkey" WHERE "id" = ${id} AND "userId" = ${userId} AND (
    (${settings().passwords ? 1 : 0} = 1
      AND EXISTS (SELECT 1 FROM "User" u WHERE u."id" = ${userId} AND u."passwordHash" IS NOT NULL))
    OR EXISTS (SELECT 1 FROM "Passkey" p WHERE p."userId" = ${userId} AND p."id" <> ${id}))`
