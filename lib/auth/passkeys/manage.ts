import { ApiError } from '@/lib/api/errors'
import type { removePasskeyInput, renamePasskeyInput } from '@/lib/api/schemas'
import type { Database } from '@/lib/database/client'
import { statement } from '@/lib/database/sql'
import { settings } from '@/lib/settings/settings'
import { recordEvent } from '../events/record'
import type { Parsed } from '../request'
import { endOfPasskey, isRemoved } from '../sessions/end'
import type { Session } from '../sessions/find'
import { issueRenewed, type OpenedSession, renewal, renewedRecord } from '../sessions/issue'
import { hasEndedOfAccount } from '../sessions/reached-apps'
import type { StepUp } from '../sessions/step-up'
import { asSession, asStepUp, writeWithLogouts } from '../sessions/write'
import { limitWrites } from '../throttling/attempts'

export async function renamePasskey({
  body: { id, name },
  session,
}: Parsed<typeof renamePasskeyInput> & { session: Session }): Promise<void> {
  const { user, claims } = session
  await limitWrites('session-writes', session, async () => {
    const { renamed } = await asSession(claims)((db) => ({
      renamed: db.passkey.updateMany({ where: { id, userId: user.id }, data: { name } }),
    }))
    if (renamed.count === 0) throw new ApiError('not_found', { notOwned: true })
  })
}

/** Removes a passkey and ends the sessions that it opened. @returns a replacement if the request's was one of them */
export async function removePasskey({
  body: { id },
  stepUp,
  context,
}: Parsed<typeof removePasskeyInput> & { stepUp: StepUp }): Promise<OpenedSession | null> {
  stepUp.requireForWaysIn()
  const { user, claims } = stepUp.session
  const { pk, ...rest } = claims
  const renewed = pk === id ? renewedRecord(rest, context) : null
  const { removed, kept } = await writeWithLogouts(asStepUp(stepUp), hasEndedOfAccount(user.id), (db) => ({
    removed: removalUnlessLast(db, id, user.id),
    ...endOfPasskey(db, user.id, id),
    renewed: renewed ? renewal(db, renewed, isRemoved(id)) : undefined,
    // Counts in the same transaction, because afterwards another request may have deleted the account.
    kept: db.passkey.count({ where: { id, userId: user.id } }),
  }))
  if (removed === 0) throw kept > 0 ? new ApiError('last_way_in') : new ApiError('not_found', { notOwned: true })
  await recordEvent(user.id, 'passkey_removed', context, { session: claims })
  return renewed && issueRenewed(user, renewed, context)
}

/** The account's lock keeps concurrent requests from removing its last two passkeys. */
const removalUnlessLast = (db: Database, id: string, userId: string) => statement(db)`
  DELETE FROM "Passkey" WHERE "id" = ${id} AND "userId" = ${userId} AND (
    (${settings().passwords ? 1 : 0} = 1
      AND EXISTS (SELECT 1 FROM "User" u WHERE u."id" = ${userId} AND u."passwordHash" IS NOT NULL))
    OR EXISTS (SELECT 1 FROM "Passkey" p WHERE p."userId" = ${userId} AND p."id" <> ${id}))`
